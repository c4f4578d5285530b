setup: create table t1 ( a , t )
setup: insert into t1 values ( 1 , 60 )
ann: insert into t1 values ( 1 , 375 )
bob: select sum t from t1 group by a

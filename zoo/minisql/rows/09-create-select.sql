setup: create table t1 ( a , b )
setup: insert into t1 values ( 1 , x ) , ( 2 , y )
ann: create table t2 select * from t1
bob: drop table t2

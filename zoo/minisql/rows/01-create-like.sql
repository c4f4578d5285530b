setup: create table t1 ( a , b )
setup: insert into t1 values ( 1 , x ) , ( 2 , y )
ann: create table t2 like t1
bob: insert into t2 select * from t1

setup: create table t1 ( a , b )
setup: insert into t1 values ( 1 , x ) , ( 2 , y )
setup: create table t2 union t1
ann: truncate table t1
bob: select * from t2

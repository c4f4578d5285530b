setup: create table t1 ( a , b )
setup: insert into t1 values ( 1 , x ) , ( 2 , y )
setup: create table t2 ( c , d )
setup: insert into t2 values ( 1 , 0 )
ann: insert into t2 values ( 2 , 0 )
bob: select * from t1 , t2

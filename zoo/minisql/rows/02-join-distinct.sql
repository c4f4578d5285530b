setup: create table t1 ( a , b )
setup: insert into t1 values ( 1 , x ) , ( 2 , y )
setup: create table t2 ( c )
setup: insert into t2 values ( u )
setup: create table t3 ( a3 , b3 )
setup: insert into t3 values ( x , old )
ann: insert into t3 values ( x , new ) , ( y , newer )
bob: select distinct b3 from t3 , t2 , t1 where a3 = b

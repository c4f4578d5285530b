setup: create table t1 ( n , w )
setup: insert into t1 values ( 79 , lamp )
ann: insert into t1 values ( 80 , pendant )
bob: select count from t1 where w like ndan

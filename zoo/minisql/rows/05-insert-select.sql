setup: create table t1 ( a )
ann: insert into t1 values ( 10 ) , ( 11 ) , ( 12 )
bob: select a from t1

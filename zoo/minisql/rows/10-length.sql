setup: create table t1 ( a )
ann: insert into t1 values ( aaaaaaaaaaaaaaaaaaaa )
bob: select length a from t1

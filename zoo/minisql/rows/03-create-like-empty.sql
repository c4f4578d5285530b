setup: create table t1 ( k )
ann: create table t9 like t1
bob: insert into t9 select * from t1

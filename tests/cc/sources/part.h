#ifdef __cplusplus
extern "C" {
#endif
int part(int n);
#ifdef __cplusplus
}
#endif

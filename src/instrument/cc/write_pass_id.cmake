# Writes OUT, which defines the digest of the file PASS; empty without one.

set(digest "")
if(PASS)
  file(SHA256 "${PASS}" digest)
endif()
file(
  WRITE "${OUT}"
  "#include \"instrument/cc/pass_id.h\"\n\n"
  "namespace fairlead::cc {\n\n"
  "const char kPassId[] = \"${digest}\";\n\n"
  "}  // namespace fairlead::cc\n")

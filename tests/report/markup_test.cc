// Text of the program as data in formats of others, and the columns of the
// page.

#include "report/markup.h"

#include <gmock/gmock.h>

#include "report/run_columns.h"

namespace fairlead::report {
namespace {

TEST(Markup, IsTextInEachFormat) {
  struct Case {
    const char* text;
    const char* xml;
    const char* markdown;
    const char* message;
    const char* property;
    const char* uri;
  };
  constexpr Case kCases[] = {
      {"a b", "a b", "a b", "a b", "a b", "a%20b"},
      {"<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;", "&#60;b&#62;&#38;&#34;&#39;",
       "<b>&\"'", "<b>&\"'", "%3Cb%3E%26%22%27"},
      {"]](x)@y`", "]](x)@y`", "&#93;&#93;&#40;x&#41;&#64;y&#96;", "]](x)@y`",
       "]](x)@y`", "%5D%5D%28x%29%40y%60"},
      {"a:b,c%d", "a:b,c%d", "a&#58;b,c%d", "a:b,c%25d", "a%3Ab%2Cc%25d",
       "a%3Ab%2Cc%25d"},
      {"one\ntwo", "one\ntwo", "one&#92;x0atwo", "one%0Atwo", "one%0Atwo",
       "one%0Atwo"},
      {"\x1b[2J\xff", "\\x1b[2J\\xff", "&#92;x1b&#91;2J&#92;xff",
       "\\x1b[2J\\xff", "\\x1b[2J\\xff", "%1B%5B2J%FF"},
      {"/usr/a.c", "/usr/a.c", "/usr/a&#46;c", "/usr/a.c", "/usr/a.c",
       "file:///usr/a.c"},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.text);
    EXPECT_EQ(XmlText(each.text), each.xml);
    EXPECT_EQ(MarkdownText(each.text), each.markdown);
    EXPECT_EQ(WorkflowMessage(each.text), each.message);
    EXPECT_EQ(WorkflowProperty(each.text), each.property);
    EXPECT_EQ(UriOf(each.text), each.uri);
  }
}

TEST(Markup, NoCharacterIsLeftThatXmlForbids) {
  EXPECT_EQ(XmlText("\xef\xbf\xbe\xef\xbf\xbf"), "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Markup, AFenceIsLongerThanAnyInside) {
  EXPECT_EQ(MarkdownBlock("a"), "```text\na\n```\n");
  EXPECT_EQ(MarkdownBlock("```\n"), "````text\n```\n````\n");
  EXPECT_EQ(MarkdownBlock(""), "```text\n```\n");
}

TEST(Columns, AreRunsWhereThatIsShorter) {
  Columns columns;
  for (const int number : {1, 2, 3}) columns.Put("each", number);
  for (int i = 0; i < 5; ++i) columns.Put("same", i < 4 ? 7 : -1);
  EXPECT_EQ(columns.Json(), R"("each":[1,2,3],"same":{"runs":[7,4,-1,1]})");
  EXPECT_EQ(Columns().Json(), "");
}

TEST(TextTable, HasEachTextOnceAndNothingFirst) {
  TextTable table;
  EXPECT_EQ(table.Add(""), 0u);
  EXPECT_EQ(table.Add("a\"\x1b"), 1u);
  EXPECT_EQ(table.Add("b"), 2u);
  EXPECT_EQ(table.Add("a\"\x1b"), 1u);
  EXPECT_EQ(table.Json(), R"(["","a\"\\x1b","b"])");
}

}  // namespace
}  // namespace fairlead::report

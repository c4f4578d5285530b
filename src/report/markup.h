// report/markup.h
//
// Text of the program as data in formats of others: nothing in it is taken for
// markup. All give valid UTF-8; what is none, and characters that act, become
// \xNN (base/printable.h).

#ifndef FAIRLEAD_REPORT_MARKUP_H_
#define FAIRLEAD_REPORT_MARKUP_H_

#include <string>
#include <string_view>

namespace fairlead::report {

// In an element or a quoted attribute of XML 1.0 (or HTML).
std::string XmlText(std::string_view text);

// On a line of Markdown, GitHub's among it: no emphasis, link, mention, HTML.
std::string MarkdownText(std::string_view text);

// Lines in a fence that nothing in them closes.
std::string MarkdownBlock(std::string_view text);

// In the message of a workflow command of GitHub, and in a property of one.
std::string WorkflowMessage(std::string_view text);
std::string WorkflowProperty(std::string_view text);

// A path as a relative or absolute reference of RFC 3986; "file:///…" for an
// absolute one.
std::string UriOf(std::string_view path);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_MARKUP_H_

#include "report/history.h"

#include <fmt/format.h>

#include "base/text.h"

namespace fairlead::report {
namespace {

using lin::Checked;
using lin::Contradiction;
using lin::ToldOperation;
using lin::Verdict;

std::string_view WordOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kYes:
      return "linearizable";
    case Verdict::kNo:
      return "not linearizable";
    case Verdict::kUnknown:
      return "unknown";
  }
  return "";
}

std::string CallText(const ToldOperation& told) {
  std::string text = told.origin.call;
  if (!told.argument.empty()) text += " " + told.argument;
  if (!told.result.empty()) text += " -> " + told.result;
  return Clipped(text, 60);
}

std::string LinesText(const ToldOperation& told) {
  if (told.origin.end_line == 0) {
    return fmt::format("{} to …", told.origin.begin_line);
  }
  return fmt::format("{} to {}", told.origin.begin_line, told.origin.end_line);
}

std::string Row(std::string_view mark, const ToldOperation& told,
                std::string_view behind) {
  return fmt::format("  {:<4} {:>16}  {:>7}  {:<36} {}\n", mark,
                     LinesText(told), told.origin.process, CallText(told),
                     behind);
}

std::string WhyText(const Contradiction& why) {
  std::string text;
  if (!why.key.empty()) {
    text += fmt::format("Key {}: no order of its {} gives these answers.\n",
                        Clipped(why.key, 60),
                        Counted(why.num_operations, "operation"));
  } else {
    text += "No order of its operations gives these answers.\n";
  }
  text += fmt::format(
      "The longest that keeps their order in time has {}; {} fits nowhere "
      "after it.\n",
      Counted(why.prefix_length, "operation"), CallText(why.stuck));
  text += fmt::format("  {:<4} {:>16}  {:>7}  {:<36} {}\n", "", "lines",
                      "process", "operation", "then it holds");
  if (why.prefix.size() < why.prefix_length) {
    text += fmt::format("       … {} before\n",
                        why.prefix_length - why.prefix.size());
  }
  for (const ToldOperation& each : why.prefix) {
    text += Row("", each, Clipped(each.state, 60));
  }
  text += Row("!", why.stuck, "does not fit");
  for (const ToldOperation& each : why.under_way) {
    text += Row("", each,
                each.origin.end_line == 0 ? "was never answered"
                                          : "under way at the same time");
  }
  return text;
}

std::string UnknownText(const Checked& checked) {
  return fmt::format(
      "Nothing is known of {}: {}.\n",
      checked.num_objects == 1 ? "it" : Counted(checked.num_unknown, "key"),
      checked.out_of_memory
          ? "the search needs more memory than --memory allows"
          : "the time was over (--time)");
}

Json ProcessJson(const std::string& process) {
  const std::optional<uint64_t> number = ParseNumber(process);
  return number ? Json(*number) : Json(process);
}

Json OperationJson(const ToldOperation& told) {
  Json json = {{"process", ProcessJson(told.origin.process)},
               {"call", told.origin.call},
               {"begin_line", told.origin.begin_line},
               {"state", told.state}};
  if (told.origin.end_line != 0) json["end_line"] = told.origin.end_line;
  if (!told.argument.empty()) json["argument"] = told.argument;
  if (!told.result.empty()) json["result"] = told.result;
  return json;
}

Json OperationsJson(const std::vector<ToldOperation>& all) {
  Json json = Json::array();
  for (const ToldOperation& each : all) json.push_back(OperationJson(each));
  return json;
}

Json WhyJson(const Contradiction& why) {
  return {{"key", why.key},
          {"operations", why.num_operations},
          {"prefix_length", why.prefix_length},
          {"prefix_end", OperationsJson(why.prefix)},
          {"does_not_fit", OperationJson(why.stuck)},
          {"under_way", OperationsJson(why.under_way)}};
}

}  // namespace

std::string HistoryText(const CheckedHistory& history) {
  const Checked& checked = history.checked;
  std::string about =
      history.model + "; " + Counted(checked.num_operations, "operation");
  if (checked.num_objects > 1) {
    about += ", " + Counted(checked.num_objects, "key");
  }
  if (checked.num_pending > 0) {
    about += fmt::format(", {} never answered", checked.num_pending);
  }
  std::string text =
      fmt::format("{}: {} ({}; {:.2f} s)\n", history.file,
                  WordOf(checked.verdict), about, history.seconds);
  for (const Contradiction& why : checked.contradictions) text += WhyText(why);
  if (checked.wrong_keys.size() > 1) {
    text += fmt::format("{} more {} wrong.\n", checked.wrong_keys.size() - 1,
                        checked.wrong_keys.size() == 2 ? "key is" : "keys are");
  }
  if (checked.num_unknown > 0) text += UnknownText(checked);
  return text;
}

Json HistoriesJson(const std::vector<CheckedHistory>& histories) {
  Json all = Json::array();
  for (const CheckedHistory& history : histories) {
    const Checked& checked = history.checked;
    Json json = {{"file", history.file},
                 {"model", history.model},
                 {"verdict", std::string(WordOf(checked.verdict))},
                 {"operations", checked.num_operations},
                 {"never_answered", checked.num_pending},
                 {"keys", checked.num_objects},
                 {"wrong_keys", checked.wrong_keys},
                 {"unknown_keys", checked.num_unknown},
                 {"configurations", checked.num_configurations},
                 {"seconds", history.seconds}};
    if (!checked.contradictions.empty()) {
      json["why"] = WhyJson(checked.contradictions.front());
    }
    all.push_back(std::move(json));
  }
  return {{"histories", std::move(all)}};
}

}  // namespace fairlead::report

// cli/report.cc
//
// `fairlead report`: what was found, what was run and what was covered, as a
// page for a browser: a file, or served on this machine.

#include <stdio.h>

#include <memory>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/page_model.h"
#include "cli/page_server.h"
#include "cli/print.h"

namespace fairlead::cli {
namespace {

struct ReportOptions {
  PageWishes wishes;
  std::string output = "report.html";
  std::string trace;  // a file to show instead of the store; "" = the store
  bool serve = false;
  uint16_t port = 0;
};

Result<PageModel> ModelOf(const ReportOptions& options) {
  if (!options.trace.empty()) return PageOfTrace(options.trace);
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.wishes.store, store::IfMissing::kFail);
  if (!store) return store.error();
  return PageOfStore(**store, options.wishes);
}

// Another text when there is something new.
std::string NewsOf(const ReportOptions& options) {
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.wishes.store, store::IfMissing::kFail);
  if (!store) return "";
  const auto campaigns = (*store)->Campaigns(1);
  const auto findings = (*store)->Findings({});
  if (!campaigns || !findings) return "";
  std::string news = fmt::format("{} findings", findings->size());
  for (const store::StoredCampaign& each : *campaigns) {
    news += fmt::format(" {} {} {}", each.uuid, each.executions, each.ending);
  }
  return news;
}

Result<ExitCode> Serve(const ReportOptions& options) {
  Result<PageServer> server = PageServer::Listen(
      options.port, {.page = [&]() -> Result<std::string> {
                       Result<PageModel> model = ModelOf(options);
                       if (!model) return model.error();
                       model->page.live = options.trace.empty();
                       return report::PageHtml(model->page);
                     },
                     .news = [&] { return NewsOf(options); }});
  if (!server) return server.error();
  Print(stdout, server->address() + "\n");
  Flush(stdout);
  Note("this address is for you alone; ^C ends it");
  if (Status served = server->Serve(); !served) return served.error();
  return ExitCode::kNothingFound;
}

Result<ExitCode> Run(const ReportOptions& options) {
  // What cannot be shown is an error before anybody looks.
  const Result<PageModel> model = ModelOf(options);
  if (!model) return model.error();
  const Result<std::string> html = report::PageHtml(model->page);
  if (!html) return html.error();
  if (options.serve) return Serve(options);
  if (Status put = WriteFile(options.output, *html); !put) return put.error();
  Note("{} has {}, {} bytes; open it in a browser", options.output,
       Counted(model->page.findings.size(), "finding"), Grouped(html->size()));
  return ExitCode::kNothingFound;
}

}  // namespace

void AddReport(CLI::App& app, Invocation& invocation) {
  CLI::App* report = app.add_subcommand(
      "report", "Make a page for a browser of what was found and run");
  report->footer(
      "Examples:\n"
      "  fairlead report -o report.html     one file, opens without a network\n"
      "  fairlead report 1 3 -o two.html    these findings only\n"
      "  fairlead report --serve            for a browser on this machine;\n"
      "                                     follows a campaign that runs\n"
      "  fairlead run --trace app.trace -- ./app\n"
      "  fairlead report --trace app.trace -o app.html\n"
      "      every event of one execution\n"
      "\n"
      "Exit codes: 0 it was made, 2 there is no such finding, 3 there is no\n"
      "store, or this build has no page.\n");
  auto options = std::make_shared<ReportOptions>();
  report->add_option("findings", options->wishes.findings,
                     "Numbers of findings; all that are open if there is none");
  auto* output =
      report->add_option("-o,--output", options->output, "The file to write");
  output->capture_default_str();
  AddStoreOption(*report, options->wishes.store);
  report->add_flag("--all", options->wishes.all,
                   "Also findings that are cleared, ignored or refuted");
  report
      ->add_option("--campaigns", options->wishes.most_campaigns,
                   "At most so many campaigns, the newest")
      ->check(WholeNumber())
      ->capture_default_str();
  report->add_option("--trace", options->trace,
                     "Show this execution instead of what is kept");
  auto* serve =
      report->add_flag("--serve", options->serve,
                       "Serve it on 127.0.0.1 until ^C, under an address that "
                       "nobody guesses, and write no file");
  serve->excludes(output);
  report
      ->add_option("--port", options->port, "Of --serve; 0 = one that is free")
      ->check(CLI::Range(0, 65535))
      ->needs(serve);
  report->callback([options, &invocation] {
    invocation.action = [options] {
      const Result<ExitCode> exit = Run(*options);
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli

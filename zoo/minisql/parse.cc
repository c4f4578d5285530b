#include "parse.h"

#include <sstream>

namespace minisql {
namespace {

using Kind = Statement::Kind;

class Reader {
 public:
  explicit Reader(const std::string& text) {
    std::istringstream in(text);
    for (std::string word; in >> word;) words_.push_back(word);
  }

  // Whether these words come next; passes them if they do.
  bool Take(const std::vector<std::string>& words) {
    for (size_t i = 0; i < words.size(); ++i) {
      if (At(i) != words[i]) return false;
    }
    at_ += words.size();
    return true;
  }
  std::string Next() {
    const std::string word = At(0);
    ++at_;
    return word;
  }
  bool over() const { return at_ >= words_.size(); }

  // "( a , b )"
  std::vector<std::string> List() {
    std::vector<std::string> list;
    if (!Take({"("})) return list;
    while (!over() && !Take({")"})) {
      if (!Take({","})) list.push_back(Next());
    }
    return list;
  }

 private:
  std::string At(size_t ahead) const {
    return at_ + ahead < words_.size() ? words_[at_ + ahead] : "";
  }
  std::vector<std::string> words_;
  size_t at_ = 0;
};

Query ParseQuery(Reader& in) {
  Query query;
  while (!in.over() && !in.Take({"from"})) {
    if (!in.Take({","})) query.what.push_back(in.Next());
  }
  query.tables.push_back(in.Next());
  while (in.Take({","})) query.tables.push_back(in.Next());
  while (!in.over()) {
    if (in.Take({"group", "by"})) {
      query.group = in.Next();
      continue;
    }
    in.Next();  // "where" or "and"
    const std::string column = in.Next();
    std::string* rule = in.Next() == "like" ? query.like : query.equal;
    rule[0] = column;
    rule[1] = in.Next();
  }
  return query;
}

void ParseCreate(Reader& in, Statement& made) {
  made.table = in.Next();
  if (in.Take({"like"})) {
    made.kind = Kind::kCreateLike;
    made.other = in.Next();
  } else if (in.Take({"select", "*", "from"})) {
    made.kind = Kind::kCreateSelect;
    made.other = in.Next();
  } else if (in.Take({"union"})) {
    made.kind = Kind::kCreateUnion;
    while (!in.over()) made.names.push_back(in.Next());
  } else {
    made.kind = Kind::kCreate;
    made.names = in.List();
  }
}

void ParseInsert(Reader& in, Statement& made) {
  made.table = in.Next();
  if (in.Take({"select", "*", "from"})) {
    made.kind = Kind::kInsertSelect;
    made.other = in.Next();
    return;
  }
  made.kind = Kind::kInsert;
  if (!in.Take({"values"})) return;
  do {
    made.rows.push_back(in.List());
  } while (in.Take({","}));
}

}  // namespace

Statement Parse(const std::string& text) {
  Statement made;
  made.text = text;
  Reader in(text);
  if (in.Take({"create", "table"})) {
    ParseCreate(in, made);
  } else if (in.Take({"insert", "into"})) {
    ParseInsert(in, made);
  } else if (in.Take({"select"})) {
    made.kind = Kind::kSelect;
    made.query = ParseQuery(in);
  } else if (in.Take({"drop", "table"})) {
    made.kind = Kind::kDrop;
    made.table = in.Next();
  } else if (in.Take({"truncate", "table"})) {
    made.kind = Kind::kTruncate;
    made.table = in.Next();
  } else if (in.Take({"optimize", "table"})) {
    made.kind = Kind::kOptimize;
    made.table = in.Next();
  } else if (in.Take({"show", "table", "status", "like"})) {
    made.kind = Kind::kShow;
    made.table = in.Next();
  }
  return made;
}

}  // namespace minisql

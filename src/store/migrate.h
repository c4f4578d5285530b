// store/migrate.h
//
// Brings a database to the schema of this build. Each version is a file under
// store/migrations/, applied in order, all in one transaction.

#ifndef FAIRLEAD_STORE_MIGRATE_H_
#define FAIRLEAD_STORE_MIGRATE_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "store/database.h"

namespace fairlead::store {

// The SQL of each version, the first at index 0.
std::span<const std::string_view> Migrations();

// Whether the database is of this build's version. Refuses one of a newer
// version, and one that somebody else made.
Result<bool> IsCurrent(Database& database);

// Whether there is nothing in it, not even ours.
Result<bool> IsEmpty(Database& database);

// Refuses the same.
Status Migrate(Database& database);

}  // namespace fairlead::store

#endif  // FAIRLEAD_STORE_MIGRATE_H_

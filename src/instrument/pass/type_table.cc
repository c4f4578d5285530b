// The type half of Tables: struct types with their fields and bases.

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Support/xxhash.h>

#include "abi/site.h"
#include "instrument/pass/tables.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::BaseRecord;
using abi::FieldRecord;
using abi::TypeRecord;

// Types that are locks or what locks are used for: never part of the state that
// they protect. By name, since any of them may hide behind a typedef.
bool IsLockName(StringRef name) {
  for (StringRef lock : {"pthread_mutex_t",
                         "pthread_rwlock_t",
                         "pthread_spinlock_t",
                         "pthread_cond_t",
                         "pthread_barrier_t",
                         "pthread_once_t",
                         "sem_t",
                         "mtx_t",
                         "cnd_t",
                         "once_flag",
                         "std::mutex",
                         "std::timed_mutex",
                         "std::recursive_mutex",
                         "std::recursive_timed_mutex",
                         "std::shared_mutex",
                         "std::shared_timed_mutex",
                         "std::condition_variable",
                         "std::condition_variable_any",
                         "std::once_flag",
                         "std::counting_semaphore",
                         "std::latch",
                         "std::barrier",
                         "std::__mutex_base",
                         "std::__shared_mutex_pthread"}) {
    if (name == lock) return true;
  }
  // Inline namespaces of the library, such as std::_V2, stand between.
  return name.starts_with("std::") &&
         (name.ends_with("::condition_variable_any") ||
          name.ends_with("::mutex"));
}

bool IsAtomicName(StringRef name) {
  return name == "std::atomic" || name == "std::atomic_flag" ||
         name == "std::atomic_ref" || name == "std::__atomic_base";
}

// Bits that any of the layers around a member's type stands for.
uint32_t FlagsOfType(const DIType* type) {
  uint32_t flags = 0;
  while (type != nullptr) {
    const std::string name = PlainName(*type);
    if (IsLockName(name)) flags |= abi::kFieldLock;
    if (IsAtomicName(name)) flags |= abi::kFieldAtomic;
    const auto* derived = dyn_cast<DIDerivedType>(type);
    if (derived == nullptr) break;
    switch (derived->getTag()) {
      case dwarf::DW_TAG_const_type:
        flags |= abi::kFieldConst;
        break;
      case dwarf::DW_TAG_atomic_type:
        flags |= abi::kFieldAtomic;
        break;
      case dwarf::DW_TAG_pointer_type:
        return flags | abi::kFieldPointer;
      case dwarf::DW_TAG_reference_type:
      case dwarf::DW_TAG_rvalue_reference_type:
        return flags | abi::kFieldReference;
      default:
        break;
    }
    type = derived->getBaseType();
  }
  const auto* composite = dyn_cast_or_null<DICompositeType>(type);
  if (composite != nullptr && composite->getTag() == dwarf::DW_TAG_array_type) {
    flags |= abi::kFieldArray | FlagsOfType(composite->getBaseType());
  }
  return flags;
}

// The struct that a member holds by value, looking through arrays; or null.
const DICompositeType* HeldStruct(const DIType* type) {
  const auto* composite =
      dyn_cast_or_null<DICompositeType>(WithoutQualifiers(type));
  if (composite == nullptr) return nullptr;
  switch (composite->getTag()) {
    case dwarf::DW_TAG_array_type:
      return HeldStruct(composite->getBaseType());
    case dwarf::DW_TAG_structure_type:
    case dwarf::DW_TAG_class_type:
    case dwarf::DW_TAG_union_type:
      return composite;
    default:
      return nullptr;
  }
}

uint64_t IdOfType(const DICompositeType& type, SourceText& sources) {
  std::string name = type.getIdentifier().str();
  if (name.empty()) {
    name = PlainName(type) + '\x1f' + sources.Path(type.getFile()).path;
    // Unnamed structs of C are told apart by where they stand.
    if (type.getName().empty()) name += '\x1f' + std::to_string(type.getLine());
  }
  const uint64_t id = xxh3_64bits(name);
  return id == 0 ? 1 : id;
}

}  // namespace

Ref Tables::Fields(const DICompositeType& type, unsigned& count) {
  // What members are made of comes first: the fields of a type lie together.
  struct Member {
    const DIDerivedType* member;
    Ref type;
  };
  SmallVector<Member, 8> members;
  for (const DINode* element : type.getElements()) {
    const auto* member = dyn_cast_or_null<DIDerivedType>(element);
    if (member == nullptr || member->getTag() != dwarf::DW_TAG_member ||
        member->isStaticMember()) {
      continue;
    }
    members.push_back({member, Type(HeldStruct(member->getBaseType()))});
  }
  count = members.size();
  const Ref first = count == 0 ? Ref{} : unit_.Next(Part::kFields);
  for (const auto& [member, held] : members) {
    FieldRecord field = {};
    field.offset = static_cast<uint32_t>(member->getOffsetInBits() / 8);
    field.size = static_cast<uint32_t>((member->getSizeInBits() + 7) / 8);
    field.flags = FlagsOfType(member->getBaseType());
    if (member->isBitField()) field.flags |= abi::kFieldBitField;
    const Ref place = unit_.Append(Part::kFields, field);
    unit_.Point(place, offsetof(FieldRecord, name), Text(member->getName()));
    unit_.Point(place, offsetof(FieldRecord, type), held);
  }
  return first;
}

Ref Tables::Bases(const DICompositeType& type, unsigned& count) {
  SmallVector<std::pair<BaseRecord, Ref>, 4> bases;
  for (const DINode* element : type.getElements()) {
    const auto* base = dyn_cast_or_null<DIDerivedType>(element);
    if (base == nullptr || base->getTag() != dwarf::DW_TAG_inheritance)
      continue;
    const bool is_virtual = (base->getFlags() & DINode::FlagVirtual) != 0;
    BaseRecord record = {};
    record.offset = static_cast<uint32_t>(base->getOffsetInBits() / 8);
    record.flags = is_virtual ? abi::kBaseVirtual : 0;
    bases.push_back({record, Type(HeldStruct(base->getBaseType()))});
  }
  count = bases.size();
  const Ref first = count == 0 ? Ref{} : unit_.Next(Part::kBases);
  for (const auto& [record, held] : bases) {
    const Ref place = unit_.Append(Part::kBases, record);
    unit_.Point(place, offsetof(BaseRecord, type), held);
  }
  return first;
}

Ref Tables::Type(const DICompositeType* declared) {
  const DICompositeType* type = types_.Definition(declared);
  if (type == nullptr) return {};
  auto [entry, fresh] = known_.try_emplace(type);
  if (!fresh) return entry->second;

  TypeRecord record = {};
  record.id = IdOfType(*type, sources_);
  record.line = type->getLine();
  record.size = static_cast<uint32_t>(type->getSizeInBits() / 8);
  if (!type->getIdentifier().empty()) record.flags |= abi::kTypeClass;
  if (type->getTag() == dwarf::DW_TAG_union_type) {
    record.flags |= abi::kTypeUnion;
  }
  if (sources_.Path(type->getFile()).library) record.flags |= abi::kTypeLibrary;
  unsigned num_fields = 0, num_bases = 0;
  const Ref fields = Fields(*type, num_fields);
  const Ref bases = Bases(*type, num_bases);
  record.num_fields = static_cast<uint16_t>(num_fields);
  record.num_bases = static_cast<uint16_t>(num_bases);
  const Ref place = unit_.Append(Part::kTypes, record);
  unit_.Point(place, offsetof(TypeRecord, name), Text(type->getName()));
  unit_.Point(place, offsetof(TypeRecord, file), File(type->getFile()));
  unit_.Point(place, offsetof(TypeRecord, fields), fields);
  unit_.Point(place, offsetof(TypeRecord, bases), bases);
  return known_[type] = place;
}

Ref Tables::Layout(const StructType* layout) {
  auto [entry, fresh] = layouts_.try_emplace(layout);
  if (!fresh) return entry->second;
  const std::string plain = PlainName(*layout);
  const DataLayout& sizes = module_.getDataLayout();
  TypeRecord record = {};
  record.id = xxh3_64bits("layout\x1f" + plain);
  if (record.id == 0) record.id = 1;
  if (layout->isSized()) {
    record.size = static_cast<uint32_t>(
        sizes.getTypeAllocSize(const_cast<StructType*>(layout))
            .getKnownMinValue());
  }
  record.flags = abi::kTypeLayoutOnly;
  const Ref place = unit_.Append(Part::kTypes, record);
  unit_.Point(place, offsetof(TypeRecord, name), Text(plain));
  return layouts_[layout] = place;
}

}  // namespace fairlead::pass

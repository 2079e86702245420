/** Where the embedded service answers otherwise than Azurite did, and why. */
interface Deviation {
  readonly reason: string
  /** By the name of the request: our status and code. */
  readonly answers: Readonly<Record<string, string>>
}

const ALL: readonly Deviation[] = [
  {
    reason: 'Azurite answers a name that no table may have with an empty code.',
    answers: {
      'create-table-bad "ab"': '400 OutOfRangeInput',
      'create-table-bad "tables"': '400 InvalidResourceName',
      'create-table-bad "1abc"': '400 InvalidResourceName',
      'create-table-bad "a-bc"': '400 InvalidResourceName',
      'create-table-bad "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"':
        '400 OutOfRangeInput',
      'create-table-bad ""': '400 InvalidResourceName',
      'create-table-bad "a_b1"': '400 InvalidResourceName',
      'create-table-bad "Ünïcode"': '400 InvalidResourceName',
    },
  },
  {
    reason: 'Azurite fails, or refuses without a code, what it cannot parse.',
    answers: {
      'create-table-bad null': '400 InvalidInput',
      'create-table-nobody': '400 InvalidInput',
      'create-table-badjson': '400 InvalidInput',
      'create-table-atom-ct': '415 AtomFormatNotSupported',
      'insert:num-pk': '400 PrimaryKeyPropertyIsInvalidType',
      'insert:unknown-type': '400 InvalidValueType',
      'insert:badjson': '400 InvalidInput',
      'insert:empty': '400 InvalidInput',
      'insert:array-body': '400 InvalidInput',
      'batch:garbage': '400 InvalidInput',
      'batch:nonmultipart': '400 InvalidInput',
    },
  },
  {
    reason:
      "Azurite's token for a list of tables is a table's name; ours, like the service's, is opaque, and was not given out.",
    answers: {
      'query-tables-top2-next': '400 InvalidInput',
    },
  },
  {
    reason:
      'Azurite lists where one table was asked for, and calls a missing one by the code for rows.',
    answers: {
      'get-table': '200',
      'get-table-missing': '404 ResourceNotFound',
    },
  },
  {
    reason: "Azurite takes a table's case for a part of its name; the service does not.",
    answers: {
      'insert-case-table': '201',
    },
  },
  {
    reason: 'Azurite has one code for every key that cannot be.',
    answers: {
      'insert:slash': '400 OutOfRangeInput',
      'insert:backslash': '400 OutOfRangeInput',
      'insert:hash': '400 OutOfRangeInput',
      'insert:qmark': '400 OutOfRangeInput',
      'insert:ctrl': '400 OutOfRangeInput',
      'insert:tab': '400 OutOfRangeInput',
      'insert:c1': '400 OutOfRangeInput',
      'insert:pk513': '400 KeyValueTooLarge',
      'insert:pk1025': '400 KeyValueTooLarge',
    },
  },
  {
    reason: 'Azurite does not count properties or bytes, nor read names.',
    answers: {
      'insert:name256': '400 PropertyNameTooLong',
      'insert:props253': '400 TooManyProperties',
      'insert:entity-1mb': '400 EntityTooLarge',
      'insert:name-dash': '400 PropertyNameInvalid',
      'insert:name-digit': '400 PropertyNameInvalid',
      'insert:name-space': '400 PropertyNameInvalid',
      'insert:name-dot': '400 PropertyNameInvalid',
      'insert:name-empty': '400 PropertyNameInvalid',
      'insert:dup-prop': '400 DuplicatePropertiesSpecified',
    },
  },
  {
    reason: 'Azurite stores a value that does not fit its type.',
    answers: {
      'insert:int64-bad': '400 InvalidInput',
      'insert:int64-over': '400 InvalidInput',
      'insert:guid-bad': '400 InvalidInput',
      'insert:dt-bad': '400 InvalidInput',
      'insert:dt-1600': '400 OutOfRangeInput',
    },
  },
  {
    reason: 'Azurite refuses a bare number for an Int64, which says enough.',
    answers: {
      'insert:int64-nostring': '201',
    },
  },
  {
    reason:
      'Azurite takes a number for an Int32 that has a fraction or does not fit; the service makes it a Double.',
    answers: {
      'insert:int32-over': '201',
      'insert:float-as-int': '201',
      'insert:float-get': '200',
      'get:i32o': '200',
    },
  },
  {
    reason: 'Azurite keeps a date as it was written; the service shows it in UTC.',
    answers: {
      'insert:dt-offset': '201',
      'insert:dt-date': '201',
      'get:doff': '200',
    },
  },
  {
    reason: 'Azurite finds no row when its address begins with the RowKey.',
    answers: {
      'get-rk-first': '200',
    },
  },
  {
    reason:
      'Azurite leaves out what a row lacks, where the service was recorded to show null, and takes * for a name.',
    answers: {
      'get-select': '200',
      'get-select-none': '200',
      'get-select-star': '200',
      'query-select': '200',
      'query-select-none': '200',
      'query-select-full': '200',
      'sdk:getEntity-select': '200',
    },
  },
  {
    reason: 'Azurite passes over a body that names another row than the address does.',
    answers: {
      'put-keymismatch': '400 InvalidInput',
    },
  },
  {
    reason: 'Azurite passes over If-None-Match on a write.',
    answers: {
      'put-ifnonematch': '400 InvalidInput',
    },
  },
  {
    reason: 'Follows from the write before it, which Azurite took and we refused.',
    answers: {
      'get-after-merge': '200',
    },
  },
  {
    reason: 'Azurite takes a tunnelled PUT for an insert.',
    answers: {
      'tunnel-put': '204',
    },
  },
  {
    reason: 'Azurite refuses these without a code, and HEAD with another status.',
    answers: {
      'delete-noifmatch': '400 InvalidInput',
      'head-entity': '405 MethodNotAllowed',
      'bad-verb': '405 MethodNotAllowed',
      root: '400 InvalidUri',
    },
  },
  {
    reason:
      'Azurite holds a property of another type to be not equal; a comparison needs one type.',
    answers: {
      "filter: S ne 'apple'": '200',
    },
  },
  {
    reason: 'Azurite cannot compare numbers of two types, or misreads how they are written.',
    answers: {
      'filter: I ge 1L': '200',
      'filter: L eq 1': '200',
      'filter: D eq 1.5d': '200',
      'filter: D gt 1.0E0': '200',
    },
  },
  {
    reason: 'Azurite compares dates by the millisecond; the service has seven digits.',
    answers: {
      "filter: T eq datetime'2020-01-01T00:00:00Z'": '200',
      "filter: T gt datetime'2020-01-01T00:00:00Z'": '200',
      "filter: T gt datetime'2020-01-01'": '200',
    },
  },
  {
    reason:
      'Azurite accepts invalid filters: null, double quotes, operators in capitals, a missing operator, two properties.',
    answers: {
      'filter: OnlyC eq null': '400 InvalidInput',
      'filter: OnlyC ne null': '400 InvalidInput',
      'filter: RowKey eq "a"': '400 InvalidInput',
      "filter: RowKey EQ 'a'": '400 InvalidInput',
      "filter: S eq 'apple' AND I eq 1": '400 InvalidInput',
      "filter: S eq 'apple": '400 InvalidInput',
      'filter: S eq I': '400 InvalidInput',
      "filter: S eq'apple'": '400 InvalidInput',
      "filter: odata.etag eq 'x'": '400 InvalidInput',
    },
  },
  {
    reason: 'Azurite calls a function no filter; the service says that it has none.',
    answers: {
      "filter: startswith(S,'a')": '501 NotImplemented',
      "filter: substringof('a',S)": '501 NotImplemented',
    },
  },
  {
    reason: 'Azurite refuses what is a filter: two constants, not twice, blanks alone.',
    answers: {
      'filter: 1 eq 1': '200',
      'filter: not not B': '200',
      'filter:   ': '200',
    },
  },
  {
    reason: 'Azurite takes any text for true.',
    answers: {
      'filter: S': '200',
    },
  },
  {
    reason: 'Azurite does not read $top, and passes over options that it does not know.',
    answers: {
      'query-top-1': '400 InvalidInput',
      'query-top1001': '400 InvalidInput',
      'query-topx': '400 InvalidInput',
      'query-orderby': '501 NotImplemented',
      'query-skip': '501 NotImplemented',
      'query-inlinecount': '501 NotImplemented',
    },
  },
  {
    reason:
      'Azurite puts the index before the text also when there was one change, where the service was recorded not to.',
    answers: {
      'batch:fail-single': '202 EntityAlreadyExists',
    },
  },
  {
    reason: 'Azurite changes several partitions, and several tables, in one transaction.',
    answers: {
      'batch:diff-partition': '202 CommandsInBatchActOnDifferentPartitions',
      'batch:diff-table': '202 CommandsInBatchActOnDifferentPartitions',
    },
  },
  {
    reason: 'Azurite says of the whole transaction that the first change is one too many.',
    answers: {
      'batch:101': '202 InvalidInput',
    },
  },
  {
    reason: 'Azurite fails at, or answers only half of, what the service takes or refuses.',
    answers: {
      'batch:empty-changeset': '202',
      'batch:two-gets': '400 InvalidInput',
      'batch:get-plus-insert': '202 InvalidInput',
      'batch:relative-url': '202',
    },
  },
  {
    reason: 'Azurite wants an expiry of every policy, and refuses without a code.',
    answers: {
      'acl-set': '204',
      'acl-get': '200',
      'acl-set-6': '400 InvalidXmlDocument',
      'acl-set-badxml': '400 InvalidXmlDocument',
      'acl-set-badperm': '400 InvalidXmlNodeValue',
    },
  },
  {
    reason: "Azurite's logs are enabled by default.",
    answers: {
      'props-get': '200',
    },
  },
  {
    reason: 'Azurite has one code for every failure to prove who asks.',
    answers: {
      'auth-none': '403 AuthenticationFailed',
      'auth-badsig': '403 AuthenticationFailed',
      'auth-garbage': '400 InvalidAuthenticationInfo',
      'auth-unknown-account': '403 AuthenticationFailed',
      'auth-bearer': '401 InvalidAuthenticationInfo',
      'sas:expired': '403 AuthenticationFailed',
      'sas:future': '403 AuthenticationFailed',
      'sas:badsig': '403 AuthenticationFailed',
      'sas:policy-missing': '403 AuthenticationFailed',
    },
  },
  {
    reason: 'Azurite takes any date, and none.',
    answers: {
      'auth-olddate': '403 AuthenticationFailed',
      'auth-nodate': '403 AuthenticationFailed',
    },
  },
  {
    reason:
      "Azurite's signatures need less than the service's: no a for an upsert, no order of letters, no one place for a term.",
    answers: {
      'sas:noperm-upsert': '403 AuthorizationPermissionMismatch',
      'sas:policy-dupfield': '403 AuthenticationFailed',
      'sas:perm-order': '403 AuthenticationFailed',
    },
  },
  {
    reason: 'Azurite enforces neither the rows nor the addresses of a signature.',
    answers: {
      'sas:range-out-get': '404 ResourceNotFound',
      'sas:range-out-insert': '403 AuthorizationFailure',
      'sas:ip-bad': '403 AuthorizationSourceIPMismatch',
    },
  },
  {
    reason: 'Azurite knows no signatures of before 2015.',
    answers: {
      'sas:sv2013': '200',
      'sas:sv2012': '200',
    },
  },
  {
    reason: 'Azurite calls it a lack of permission; no permission is enough for it.',
    answers: {
      'sas:acct-acl': '403 AuthorizationFailure',
    },
  },
  {
    reason: 'Azurite takes anything for a version, told to check none.',
    answers: {
      'ver-bad': '400 InvalidHeaderValue',
    },
  },
]

/** Our status and code, and the reason, for every recorded request that we answer otherwise. */
export const DEVIATIONS: ReadonlyMap<string, { readonly answer: string; readonly reason: string }> =
  new Map(
    ALL.flatMap(({ reason, answers }) =>
      Object.entries(answers).map(([id, answer]) => [id, { answer, reason }] as const),
    ),
  )

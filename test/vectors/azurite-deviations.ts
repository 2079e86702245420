/** A difference between the responses of the embedded service and those of Azurite. */
interface Deviation {
  readonly reason: string
  /** Our status and code, by the name of the request. */
  readonly responses: Readonly<Record<string, string>>
}

const ALL: readonly Deviation[] = [
  {
    reason: 'Azurite rejects an invalid table name with an empty code.',
    responses: {
      'create-table-bad "ab"': '400 OutOfRangeInput',
      'create-table-bad "tables"': '400 InvalidInput',
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
    reason: 'Azurite fails on a body that it cannot parse, or rejects it without a code.',
    responses: {
      'create-table-bad null': '400 InvalidInput',
      'create-table-nobody': '400 InvalidInput',
      'create-table-badjson': '400 InvalidInput',
      'create-table-atom-ct': '415 AtomFormatNotSupported',
      'insert:num-pk': '400 InvalidInput',
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
      "Azurite's token for a list of tables is a table's name. Our token is opaque, like Azure's, and rejects a name.",
    responses: {
      'query-tables-top2-next': '400 InvalidInput',
    },
  },
  {
    reason:
      'Azurite returns a list for a request of one table, and for a missing table the code of rows.',
    responses: {
      'get-table': '200',
      'get-table-missing': '404 ResourceNotFound',
    },
  },
  {
    reason: 'Azurite distinguishes table names by case; Azure does not.',
    responses: {
      'insert-case-table': '201',
    },
  },
  {
    reason: 'Azurite has one code for all invalid keys.',
    responses: {
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
    reason:
      'Azurite limits neither the number nor the size of properties, and does not validate names.',
    responses: {
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
    responses: {
      'insert:int64-bad': '400 InvalidInput',
      'insert:int64-over': '400 InvalidInput',
      'insert:guid-bad': '400 InvalidInput',
      'insert:dt-bad': '400 InvalidInput',
      'insert:dt-1600': '400 OutOfRangeInput',
    },
  },
  {
    reason: 'Azurite rejects a number without quotes for an Int64, although its meaning is clear.',
    responses: {
      'insert:int64-nostring': '201',
    },
  },
  {
    reason:
      'Azurite stores a number with a fraction, or out of range, as an Int32; Azure stores a Double.',
    responses: {
      'insert:int32-over': '201',
      'insert:float-as-int': '201',
      'insert:float-get': '200',
      'get:i32o': '200',
    },
  },
  {
    reason: 'Azurite keeps a date as it was written; Azure returns it in UTC.',
    responses: {
      'insert:dt-offset': '201',
      'insert:dt-date': '201',
      'get:doff': '200',
    },
  },
  {
    reason: 'Azurite does not find a row when the URL starts with the RowKey.',
    responses: {
      'get-rk-first': '200',
    },
  },
  {
    reason:
      'Azurite omits missing properties, which are null in a recording of Azure, and treats * as a name.',
    responses: {
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
    reason: 'Azurite ignores the keys in a body when they differ from the URL.',
    responses: {
      'put-keymismatch': '400 InvalidInput',
    },
  },
  {
    reason: 'Azurite ignores If-None-Match on a write.',
    responses: {
      'put-ifnonematch': '400 InvalidInput',
    },
  },
  {
    reason: 'Azurite applied the write before it; the embedded service rejected that write.',
    responses: {
      'get-after-merge': '200',
    },
  },
  {
    reason: 'Azurite handles a tunnelled PUT as an insert.',
    responses: {
      'tunnel-put': '204',
    },
  },
  {
    reason: 'Azurite rejects these without a code, and HEAD with another status.',
    responses: {
      'delete-noifmatch': '400 InvalidInput',
      'head-entity': '405 MethodNotAllowed',
      'bad-verb': '405 MethodNotAllowed',
      root: '400 InvalidUri',
    },
  },
  {
    reason:
      'In Azurite, a value of another type is not less than the constant, and a stored Int32 equals 1.0.',
    responses: {
      "filter: S lt 'a'": '200',
      'filter: I eq 1.0': '200',
    },
  },
  {
    reason: 'Azurite takes a whole number of more than 32 bits without an L; Azure rejects it.',
    responses: {
      'filter: I lt 2147483648': '400 InvalidInput',
    },
  },
  {
    reason: 'Azurite cannot compare numbers of two types, or misreads their literals.',
    responses: {
      'filter: I ge 1L': '200',
      'filter: L eq 1': '200',
      'filter: D eq 1.5d': '200',
      'filter: D gt 1.0E0': '200',
    },
  },
  {
    reason: 'Azurite compares dates by milliseconds; Azure has seven fractional digits.',
    responses: {
      "filter: T eq datetime'2020-01-01T00:00:00Z'": '200',
      "filter: T gt datetime'2020-01-01T00:00:00Z'": '200',
      "filter: T gt datetime'2020-01-01'": '200',
    },
  },
  {
    reason:
      'Azurite accepts invalid filters: null, double quotes, operators in capitals, a missing operator, two properties.',
    responses: {
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
    reason: 'Azurite rejects a function as an invalid filter; Azure rejects it as not implemented.',
    responses: {
      "filter: startswith(S,'a')": '501 NotImplemented',
      "filter: substringof('a',S)": '501 NotImplemented',
    },
  },
  {
    reason: 'Azurite rejects valid filters: two constants, a double not, only blanks.',
    responses: {
      'filter: 1 eq 1': '200',
      'filter: not not B': '200',
      'filter:   ': '200',
    },
  },
  {
    reason: 'In Azurite, any text is true.',
    responses: {
      'filter: S': '200',
    },
  },
  {
    reason: 'An empty page of Azurite has a continuation token; one of Azure is the last.',
    responses: {
      'query-top0': '200',
    },
  },
  {
    reason: 'Azurite does not validate $top, and ignores unknown options.',
    responses: {
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
      'Azurite starts the error text with the index even for a single change; a recording of Azure does not.',
    responses: {
      'batch:fail-single': '202 EntityAlreadyExists',
    },
  },
  {
    reason: 'Azurite changes several partitions, and several tables, in one transaction.',
    responses: {
      'batch:diff-partition': '202 CommandsInBatchActOnDifferentPartitions',
      'batch:diff-table': '202 CommandsInBatchActOnDifferentPartitions',
    },
  },
  {
    reason: 'Azurite returns the error of a transaction that is too long with another code.',
    responses: {
      'batch:101': '202 InvalidInput',
    },
  },
  {
    reason: 'Azurite fails on these batches, or returns an incomplete response.',
    responses: {
      'batch:empty-changeset': '202',
      'batch:two-gets': '400 InvalidInput',
      'batch:get-plus-insert': '202 InvalidInput',
      'batch:relative-url': '202',
    },
  },
  {
    reason: 'Azurite requires an expiry in every policy, and rejects without a code.',
    responses: {
      'acl-set': '204',
      'acl-get': '200',
      'acl-set-6': '400 InvalidXmlDocument',
      'acl-set-badxml': '400 InvalidXmlDocument',
      'acl-set-badperm': '400 InvalidXmlNodeValue',
    },
  },
  {
    reason: "Azurite's logs are enabled by default.",
    responses: {
      'props-get': '200',
    },
  },
  {
    reason: 'Azurite has one code for all failures of authentication.',
    responses: {
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
    reason: 'Azurite accepts any date, and a missing date.',
    responses: {
      'auth-olddate': '403 AuthenticationFailed',
      'auth-nodate': '403 AuthenticationFailed',
    },
  },
  {
    reason:
      'Azurite accepts weaker signatures: upserts without `a`, permissions in any order, values both in policy and token.',
    responses: {
      'sas:noperm-upsert': '403 AuthorizationPermissionMismatch',
      'sas:policy-dupfield': '403 AuthenticationFailed',
      'sas:perm-order': '403 AuthenticationFailed',
    },
  },
  {
    reason: 'Azurite enforces neither the rows nor the addresses of a signature.',
    responses: {
      'sas:range-out-get': '404 ResourceNotFound',
      'sas:range-out-insert': '403 AuthorizationFailure',
      'sas:ip-bad': '403 AuthorizationSourceIPMismatch',
    },
  },
  {
    reason: 'Azurite does not support signatures before 2015.',
    responses: {
      'sas:sv2013': '200',
      'sas:sv2012': '200',
    },
  },
  {
    reason: 'Azurite reports a missing permission, but no permission allows this operation.',
    responses: {
      'sas:acct-acl': '403 AuthorizationFailure',
    },
  },
  {
    reason: 'Azurite accepts any version; it ran without its version check.',
    responses: {
      'ver-bad': '400 InvalidHeaderValue',
    },
  },
]

/** Our status and code, and the reason, by the name of each request with another response. */
export const DEVIATIONS: ReadonlyMap<
  string,
  { readonly response: string; readonly reason: string }
> = new Map(
  ALL.flatMap(({ reason, responses }) =>
    Object.entries(responses).map(([id, response]) => [id, { response, reason }] as const),
  ),
)

import { type CodedInputError, InputError } from '@rowkey/odata'

/**
 * The errors of `@rowkey/rest`, by code: their class, when they occur and what to do. A
 * {@link ServiceError} has the service's own code; the table lists the frequent ones.
 *
 * @internal docs/errors.md shows it.
 */
export const restErrorCodes = {
  Aborted: {
    class: 'AbortError',
    when: 'The signal of a call aborted. `cause` is its reason, and `mayHaveApplied` tells whether a write may have happened.',
    fix: 'Usually nothing: you ended the call. Check what is stored if `mayHaveApplied` is true.',
  },
  AccountClosed: {
    class: 'TransportError',
    when: 'A call began after `close()` of its account. Nothing was sent.',
    fix: 'Open the account again with `connect`, or close it after the last call.',
  },
  AccountKeyRequired: {
    class: 'InputError',
    when: 'An operation needs the account key: stored access policies, and making a shared access signature.',
    fix: 'Use a `SharedKeyCredential`, or a connection string with an AccountKey.',
  },
  AmbiguousWrite: {
    class: 'AmbiguousWriteError',
    when: 'The response to a write was lost, and no later response told whether the write was applied.',
    fix: 'Call `resolve()`, which reads what is stored, and repeat the write only when it says `not applied`.',
  },
  AttemptTimeout: {
    class: 'TransportError',
    when: 'An attempt took longer than its `timeout`, from its start to the last byte of the response.',
    fix: 'Check the network, or raise `timeout`.',
  },
  AuthenticationFailed: {
    class: 'AuthenticationError',
    when: 'The service rejected the credential (401 or 403): a wrong or rotated key, a clock that is more than 15 minutes off, or a missing permission.',
    fix: 'Follow the advice in the message: it names the account, and the clock if that is wrong.',
  },
  BudgetSpent: {
    class: 'BudgetError',
    when: 'A call needs one more request than its `budget` allows. `requests` says how many it made, and `continuationToken` where a query goes on.',
    fix: 'Raise `budget.requests`, or go on in another call; `explain()` and the documentation of each method say how many requests it takes.',
  },
  ConnectionFailed: {
    class: 'TransportError',
    when: 'No connection came about; `failure` says why: `dns`, `refused`, `timeout`, `tls`, `proxy`, `closed` or `other`. Nothing was sent.',
    fix: 'Check host, port, proxy and certificate; the message names the host.',
  },
  CredentialUnavailable: {
    class: 'TransportError',
    when: 'A call needed a token, and its source returned none or failed. Nothing was sent. `cause` is the error of the source.',
    fix: 'Sign in again, or fix the source of tokens.',
  },
  DeadlineExceeded: {
    class: 'DeadlineError',
    when: 'A call reached its `deadline`, or its next wait would have passed it. `cause` is the error of the last attempt.',
    fix: 'Raise `deadline`, or accept that the service is too slow now.',
  },
  EntityAlreadyExists: {
    class: 'EntityAlreadyExistsError',
    when: 'An insert found an entity with the same PartitionKey and RowKey (409).',
    fix: 'Use `insertOrReplace` or `insertOrMerge` if that is fine, or choose other keys.',
  },
  EntityTooLarge: {
    class: 'InputError',
    when: 'An entity is larger than 1 MiB (2 MiB on Cosmos DB), or one of its properties larger than 64 KiB. `details` has `property`, `count` and `limit` in bytes.',
    fix: 'Spread the content over several properties or entities, or keep it in a blob.',
  },
  IdempotencyKeyReused: {
    class: 'InputError',
    when: 'An `idempotencyKey` was used before, in the same partition, for a write of other keys or of another kind.',
    fix: 'Make a new key for each write, and keep it only to repeat that write.',
  },
  InsecureEndpoint: {
    class: 'InputError',
    when: 'An endpoint uses plain http and is not on this machine, or a token would be sent over plain http.',
    fix: 'Use https, or set `allowInsecure: true` for an endpoint that you trust.',
  },
  InvalidAccessPolicy: {
    class: 'InputError',
    when: 'Stored access policies break a rule: at most 5 per table, each with its own id of 1 to 64 characters, valid times, and letters out of `raud`.',
    fix: 'Correct the policy that the message names.',
  },
  InvalidBatch: {
    class: 'InputError',
    when: 'A batch breaks a rule: 1 to 100 changes of one table and one PartitionKey, each entity once, at most 4 MiB. `details.index` is the change.',
    fix: 'Split the batch, or correct the change that the message names.',
  },
  InvalidConnectionString: {
    class: 'InputError',
    when: 'A connection string cannot be read.',
    fix: 'Correct the pair that the message names; the message never shows its value.',
  },
  InvalidContinuationToken: {
    class: 'InputError',
    when: 'A text is not a continuation token, or the token belongs to another query.',
    fix: 'Pass a token exactly as a page of the same query returned it, or start without one.',
  },
  InvalidCredential: {
    class: 'InputError',
    when: 'An account name, an account key or a shared access signature is malformed, or a build for browsers and workers received an account key.',
    fix: 'Copy it again in full; the message never shows it. In a worker that runs on a server, set `runsOnServer: true`.',
  },
  InvalidETag: {
    class: 'InputError',
    when: 'The ETag of a write is not one ETag.',
    fix: "Pass the ETag as the service returned it, or `'*'`.",
  },
  InvalidEndpoint: {
    class: 'InputError',
    when: 'A URL cannot be the endpoint of a Table service.',
    fix: 'Use a URL such as `https://<account>.table.core.windows.net`, without user, query and fragment.',
  },
  InvalidEnvironment: {
    class: 'InputError',
    when: 'The environment variables have no account with a credential, or `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` is not a URL.',
    fix: 'Set `AZURE_STORAGE_CONNECTION_STRING`, or `AZURE_STORAGE_ACCOUNT` and a key or SAS token. Correct the URL of the proxy.',
  },
  InvalidQueryOption: {
    class: 'InputError',
    when: 'A page size, a projection or a filter cannot be sent to the service.',
    fix: 'Correct the option that the message names.',
  },
  InvalidSas: {
    class: 'InputError',
    when: 'A shared access signature would have parameters that no service accepts, or an empty key that its holder could remove.',
    fix: 'Correct the parameter that the message names.',
  },
  InvalidServiceProperties: {
    class: 'InputError',
    when: 'Service properties break a rule: retention of 1 to 365 days, at most 5 CORS rules of 2 KiB together, and the limits of each rule.',
    fix: 'Correct the property that the message names.',
  },
  InvalidTableName: {
    class: 'InputError',
    when: 'A table name breaks the rule: a letter, then 2 to 62 letters and digits, and not `tables`. On Cosmos DB the rule is 1 to 255 characters, without `/ \\ # ?` and without a blank at the end.',
    fix: 'Rename the table.',
  },
  MissingDependency: {
    class: 'InputError',
    when: 'A call needs undici or the XML parser, which cannot be loaded: undici is not installed, or a bundler left it out. `cause` has the error of the runtime. Nothing was changed.',
    fix: 'Install undici beside `@rowkey/rest`, and publish all files of a bundle.',
  },
  MissingETag: {
    class: 'InputError',
    when: 'An update, a merge or a delete has no ETag.',
    fix: "Pass the ETag that the entity was read with, or `'*'` to write whatever is stored.",
  },
  OutsideSasScope: {
    class: 'InputError',
    when: 'A call needs more than its shared access signature allows; `details.missing` says what. Nothing was sent.',
    fix: 'Get a signature that allows it.',
  },
  ReservedPropertyName: {
    class: 'InputError',
    when: 'An entity for Cosmos DB has a property `id`, `ID`, `rid` or `ResourceId`, which Cosmos DB uses itself. `details.property` names it.',
    fix: 'Store the property under another name, for example with `@StoreAs`.',
  },
  ResourceNotFound: {
    class: 'EntityNotFoundError',
    when: 'No entity has this PartitionKey and RowKey (404). On Cosmos DB the table may be missing instead: the code is the same.',
    fix: 'Use `find` where the entity may be missing. On Cosmos DB, make sure that the table exists.',
  },
  ServerBusy: {
    class: 'ServiceError',
    when: 'The service or the partition is busy (503), also after the retries.',
    fix: 'Send less, spread the load over partitions, or raise the number of attempts.',
  },
  TableAlreadyExists: {
    class: 'TableAlreadyExistsError',
    when: 'A table of this name already exists (409).',
    fix: 'Use `createIfNotExists`.',
  },
  TableBeingDeleted: {
    class: 'ServiceError',
    when: 'A table of this name is still being deleted (409), which takes at least 40 seconds.',
    fix: 'Try again later, or use another name.',
  },
  TableNotFound: {
    class: 'TableNotFoundError',
    when: 'The table does not exist (404). On Cosmos DB the code is `ResourceNotFound`.',
    fix: 'Create the table, or correct its name.',
  },
  TooManyProperties: {
    class: 'InputError',
    when: 'An entity has more than 252 properties besides PartitionKey, RowKey and Timestamp. `details` has `count` and `limit`.',
    fix: 'Move properties to another entity, or store several in one as JSON text.',
  },
  TransportFailed: {
    class: 'TransportError',
    when: 'The connection broke before the whole response had arrived. `mayHaveApplied` tells whether a write may have happened.',
    fix: 'Check the network; Rowkey has already retried where that does no harm.',
  },
  UnrecordedRequest: {
    class: 'InputError',
    when: 'A `replayingTransport` has no recorded response left for a request.',
    fix: 'Record the exchange again with `recordingTransport`.',
  },
  UnsupportedOperation: {
    class: 'InputError',
    when: 'The account or the runtime cannot serve an operation: statistics without a secondary endpoint, policies and properties on Cosmos DB, or making a shared access signature in a page, or in a worker without `nodejs_compat`.',
    fix: 'Configure the secondary endpoint, use the tools of Cosmos DB, or make the signature on Node or with `nodejs_compat`.',
  },
  UpdateConditionNotSatisfied: {
    class: 'ETagMismatchError',
    when: 'The entity has changed since it was read (412).',
    fix: 'Read it again and repeat the change, or use `modify`, which does both.',
  },
} as const

/** A code of `restErrorCodes`. */
export type RestErrorCode = keyof typeof restErrorCodes

/** Makes an InputError whose code is in `restErrorCodes`. */
export function restInputError(options: CodedInputError<typeof restErrorCodes>): InputError {
  return new InputError(options)
}

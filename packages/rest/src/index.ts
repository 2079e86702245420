export type { AccessPolicy } from './access-policy/access-policy.ts'
export { datedPolicyId } from './access-policy/dated-policy-id.ts'
export { Call, callOf, type FailureListener, type Line, type TableService } from './call/call.ts'
export { type CallOptions, callOptions } from './call/call-options.ts'
export type { Deadline } from './call/deadline.ts'
export {
  type ConnectionSettings,
  type ConnectionStringOptions,
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  parseConnectionString,
} from './connection/connection-string.ts'
export { environmentAddress } from './connection/environment-address.ts'
export type {
  ConnectionStringAddress,
  EndpointAddress,
  GivenCredential,
  NamedKey,
} from './connection/resolve-address.ts'
export { parseSasUrl } from './connection/sas-url.ts'
export type {
  CheckChoices,
  CheckName,
  CheckPlace,
  Endpoint,
  Flavour,
  LocationName,
  ServiceLocation,
} from './endpoint/endpoint.ts'
export { type EndpointOptions, endpointOf } from './endpoint/endpoint-of.ts'
export { type ScalabilityTargets, scalabilityTargets } from './endpoint/scalability-targets.ts'
export { AbortError, type AbortErrorOptions } from './errors/abort-error.ts'
export {
  AmbiguousWriteError,
  type AmbiguousWriteErrorOptions,
  type Resolution,
  type WriteOutcome,
} from './errors/ambiguous-write-error.ts'
export { BatchError, type BatchErrorOptions, type FailedChange } from './errors/batch-error.ts'
export { BudgetError, type BudgetErrorOptions } from './errors/budget-error.ts'
export type { RestErrorCode, restErrorCodes } from './errors/codes.ts'
export { DeadlineError, type DeadlineErrorOptions } from './errors/deadline-error.ts'
export { afterWrite, inDoubt } from './errors/in-doubt.ts'
export {
  AuthenticationError,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  ServiceError,
  type ServiceErrorOptions,
  TableAlreadyExistsError,
  TableNotFoundError,
} from './errors/service-error.ts'
export {
  type ConnectionFailure,
  TransportError,
  type TransportErrorCode,
  type TransportErrorOptions,
} from './errors/transport-error.ts'
export { type KeyedWrite, settleIdempotencyKey } from './exact/settle-key.ts'
export { type SweepOptions, sweepMarkers } from './exact/sweep-markers.ts'
export { type FetchTransportOptions, fetchTransport } from './http/fetch-transport.ts'
export {
  type AttemptLimits,
  type CloseOptions,
  type HttpHeaders,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  isRead,
  type Transport,
  urlOf,
} from './http/transport.ts'
export type { ProxyChoice } from './http/undici-proxy.ts'
export { type UndiciTransportOptions, undiciTransport } from './http/undici-transport.ts'
export type {
  AttemptResult,
  AttemptVerdict,
  CallEvent,
  CallListener,
  CallLogger,
  CallMoment,
  CompletedEvent,
  ReceivedEvent,
  RetryingEvent,
  SendingEvent,
} from './observe/call-event.ts'
export {
  openTelemetryBridge,
  type SpanAttributes,
  type SpanLike,
  type TracerLike,
} from './observe/open-telemetry-bridge.ts'
export {
  type CounterLike,
  type HistogramLike,
  type MeterLike,
  type MetricText,
  openTelemetryMetrics,
} from './observe/open-telemetry-metrics.ts'
export { OperationContext, type OperationContextOptions } from './observe/operation-context.ts'
export type { RequestBudget } from './observe/request-budget.ts'
export { createTable, createTableIfNotExists } from './operations/create-table.ts'
export {
  type DeletionResult,
  deleteEntity,
  deleteEntityIfExists,
} from './operations/delete-entity.ts'
export { deleteTable, deleteTableIfExists } from './operations/delete-table.ts'
export { type ChangeSet, entityGroupTransaction } from './operations/entity-group-transaction.ts'
export { findEntity, getEntity } from './operations/get-entity.ts'
export { getServiceProperties } from './operations/get-service-properties.ts'
export { getServiceStats } from './operations/get-service-stats.ts'
export { getTable, hasTable, type TableItem } from './operations/get-table.ts'
export { getTableAcl } from './operations/get-table-acl.ts'
export { insertEntity } from './operations/insert-entity.ts'
export { insertOrMergeEntity } from './operations/insert-or-merge-entity.ts'
export { insertOrReplaceEntity } from './operations/insert-or-replace-entity.ts'
export { mergeEntity } from './operations/merge-entity.ts'
export {
  type EntitiesPage,
  type EntitiesQuery,
  keptMark,
  queryEntities,
} from './operations/query-entities.ts'
export { queryTables, type TablesPage, type TablesQuery } from './operations/query-tables.ts'
export { retrieveEntity } from './operations/retrieve-entity.ts'
export { setServiceProperties } from './operations/set-service-properties.ts'
export { setTableAcl, type TableAcl } from './operations/set-table-acl.ts'
export { updateEntity } from './operations/update-entity.ts'
export {
  type ContinuationToken,
  parseContinuationToken,
  printContinuationToken,
} from './paging/query-text.ts'
export { continuationTokenPattern } from './paging/token-pattern.ts'
export { perform } from './perform.ts'
export { entitySize, type PropertySize, propertySizes } from './request/check-entity.ts'
export type { EntityRead, ReadResult } from './request/entity-read.ts'
export type { EntityWrite, EntityWriteName, WriteResult } from './request/entity-write.ts'
export type {
  AppliedSettlement,
  Operation,
  OperationTraits,
  Reconciliation,
  RejectedSettlement,
  Settlement,
  UnknownSettlement,
  Witness,
} from './request/operation.ts'
export type { TableAddress } from './request/path.ts'
export { checkTableName, keyCheckOf, tableIdOf } from './request/path.ts'
export { type EntityAddress, entityName } from './request/resource.ts'
export { errorClassOf, type ServiceErrorClass } from './response/service-error.ts'
export type { ClockSkew } from './retry/clock-skew.ts'
export type { LocationMode } from './retry/itinerary.ts'
export type { OwnTables } from './retry/own-tables.ts'
export { type RetryBudget, type RetryBudgetOptions, retryBudget } from './retry/retry-budget.ts'
export {
  type ExponentialRetryOptions,
  exponentialRetry,
  type FailedAttempt,
  type LinearRetryOptions,
  linearRetry,
  noRetry,
  type RetryPolicy,
  type StorageExponentialRetryOptions,
  storageExponentialRetry,
} from './retry/retry-policies.ts'
export {
  type Conflict,
  conflictOf,
  isOverloaded,
  isUnsent,
  mayHaveApplied,
} from './retry/verdict.ts'
export { type AccountSasOptions, accountSas } from './sas/account-sas.ts'
export { type Ipv4Range, parseIpv4, parseIpv4Range } from './sas/ipv4-range.ts'
export type { SasOptions, SasProtocol } from './sas/make-sas.ts'
export { SasCredential, type SasCredentialOptions } from './sas/sas-credential.ts'
export type { SasBound, SasKeyRange } from './sas/sas-key-range.ts'
export {
  type ProvidedSas,
  SasProviderCredential,
  type SasProviderOptions,
} from './sas/sas-provider-credential.ts'
export type { SasLack } from './sas/sas-scope.ts'
export { type SasParameters, sasStringToSign } from './sas/sas-string-to-sign.ts'
export { SharedAccessSignature } from './sas/shared-access-signature.ts'
export { type TableSasOptions, tableSas } from './sas/table-sas.ts'
export type {
  CorsRule,
  LoggingProperties,
  MetricsProperties,
  ServiceProperties,
  ServiceStatistics,
} from './service-properties/service-properties.ts'
export type { AccessToken, AccessTokenSource, BearerOptions } from './sign/access-tokens.ts'
export { BearerCredential } from './sign/bearer-credential.ts'
export type { Credential } from './sign/credential.ts'
export { SharedKeyCredential } from './sign/shared-key-credential.ts'
export type { SharedKeyOptions } from './sign/shared-key-options.ts'
export {
  printHttpDate,
  type SharedKeyScheme,
  stringToSign,
} from './sign/string-to-sign.ts'
export {
  fetchTableService,
  type PercentKeys,
  type TableServiceOptions,
  type TableServiceSettings,
  tableService,
  tableServiceOptions,
} from './table-service.ts'
export { changeBytes } from './transaction/change-bytes.ts'
export {
  type ChangeSetLimits,
  changeSetLimits,
} from './transaction/change-set-size.ts'
export { type Change, checkChangeSet } from './transaction/check-change-set.ts'
export { onAbort } from './wait/on-abort.ts'
export { type Sleep, sleep } from './wait/sleep.ts'
export type { XmlElement } from './xml/parse-xml.ts'
export { readXml } from './xml/read-xml.ts'
export { writeXml, type XmlChildren, type XmlContent } from './xml/write-xml.ts'

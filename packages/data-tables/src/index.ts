export type {
  AccessPolicy,
  GetAccessPolicyResponse,
  SignedIdentifier,
} from './account/access-policies.ts'
export type { RetryOptions, TableServiceClientOptions } from './account/client-options.ts'
export {
  AzureNamedKeyCredential,
  AzureSASCredential,
  type ClientCredential,
  type NamedKeyCredential,
  type SASCredential,
} from './account/credentials.ts'
export type {
  OperationOptions,
  OperationRequestOptions,
  SetPropertiesOptions,
} from './account/operation-options.ts'
export type {
  CreateTableEntityResponse,
  DeleteTableEntityResponse,
  ServiceGetPropertiesHeaders,
  ServiceGetStatisticsHeaders,
  ServiceSetPropertiesHeaders,
  SetAccessPolicyResponse,
  SetPropertiesResponse,
  TableCreateHeaders,
  TableDeleteEntityHeaders,
  TableDeleteHeaders,
  TableGetAccessPolicyHeaders,
  TableInsertEntityHeaders,
  TableMergeEntityHeaders,
  TableSetAccessPolicyHeaders,
  TableUpdateEntityHeaders,
  UpdateEntityResponse,
  UpsertEntityResponse,
} from './account/response-headers.ts'
export {
  type AccountSasOptions,
  type AccountSasPermissions,
  type AccountSasServices,
  generateAccountSas,
  generateTableSas,
  type SasIPRange,
  type SasProtocol,
  type SasTimes,
  type TableSasPermissions,
  type TableSasSignatureValues,
} from './account/sas.ts'
export {
  type CorsRule,
  type GeoReplication,
  type GeoReplicationStatusType,
  type GetPropertiesResponse,
  type GetStatisticsResponse,
  KnownGeoReplicationStatusType,
  type Logging,
  type Metrics,
  type RetentionPolicy,
  type ServiceProperties,
  type TableServiceStats,
} from './account/service-properties.ts'
export { odata } from './entity/odata.ts'
export type {
  Edm,
  EdmTypes,
  GetTableEntityResponse,
  TableEntity,
  TableEntityQueryOptions,
  TableEntityResult,
  TableEntityResultPage,
} from './entity/table-entity.ts'
export { RestError, type RestErrorOptions } from './errors/rest-error.ts'
export type { PagedAsyncIterableIterator, PageSettings } from './paging/paged-iterator.ts'
export type {
  AbortSignalLike,
  AdditionalPolicyConfig,
  AddPolicyOptions,
  Foreign,
  FullOperationResponse,
  HttpClient,
  HttpHeaders,
  HttpMethods,
  OperationTracingOptions,
  Pipeline,
  PipelinePhase,
  PipelinePolicy,
  PipelineRequest,
  PipelineResponse,
  ProxySettings,
  RawResponseCallback,
  SendRequest,
  TracingContext,
  TransferProgressEvent,
} from './pipeline/interfaces.ts'
export {
  type GetTableEntityOptions,
  type ListTableEntitiesOptions,
  TableClient,
  type TableTransactionEntityResponse,
  type TableTransactionResponse,
} from './table-client.ts'
export {
  type ListTableItemsOptions,
  type TableItem,
  type TableItemResultPage,
  type TableQueryOptions,
  type TableQueryResponse,
  TableServiceClient,
} from './table-service-client.ts'
export {
  type CreateDeleteEntityAction,
  type DeleteTableEntityOptions,
  TableTransaction,
  type TransactionAction,
  type UpdateEntityAction,
  type UpdateMode,
  type UpdateTableEntityOptions,
} from './table-transaction.ts'

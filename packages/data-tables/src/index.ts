export type { SignedIdentifier } from './account/access-policies.ts'
export {
  AzureNamedKeyCredential,
  AzureSASCredential,
  type NamedKeyCredential,
  type SASCredential,
} from './account/credentials.ts'
export type {
  ClientCredential,
  RetryOptions,
  TableServiceClientOptions,
} from './account/open-service.ts'
export type { OperationOptions, ResponseFacts } from './account/operation-options.ts'
export {
  type AccountSasOptions,
  type AccountSasPermissions,
  generateAccountSas,
  generateTableSas,
  type SasIPRange,
  type SasProtocol,
  type SasTimes,
  type TableSasPermissions,
  type TableSasSignatureValues,
} from './account/sas.ts'
export type {
  CorsRule,
  Logging,
  Metrics,
  RetentionPolicy,
  ServiceProperties,
} from './account/service-properties.ts'
export { odata } from './entity/odata.ts'
export type { Edm, EdmTypes, TableEntity, TableEntityResult } from './entity/to-entity.ts'
export { type OdataError, RestError } from './errors/rest-error.ts'
export type { Page, PagedAsyncIterableIterator, PageSettings } from './paging/paged-iterator.ts'
export {
  type GetTableEntityOptions,
  type ListTableEntitiesOptions,
  TableClient,
  type TableTransactionEntityResponse,
  type TableTransactionResponse,
  type UpdateTableEntityOptions,
  type WriteResponse,
} from './table-client.ts'
export {
  type GetStatisticsResponse,
  type ListTableItemsOptions,
  type TableItem,
  TableServiceClient,
} from './table-service-client.ts'
export {
  type ConditionOptions,
  TableTransaction,
  type TransactionAction,
  type UpdateMode,
} from './table-transaction.ts'

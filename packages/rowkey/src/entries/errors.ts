/** Every error class, with the types of their details: `import { DeadlineError } from 'rowkey/errors'`. */
export {
  BulkError,
  KeptRowConflictError,
  ModelError,
  ModifyConflictError,
  SchemaError,
  type SchemaIssue,
} from '@rowkey/mapper'
export {
  DecodeError,
  FilterSyntaxError,
  InputError,
  isRowkeyError,
  type OperandTypes,
  RowkeyError,
} from '@rowkey/odata'
export { NoRowError } from '@rowkey/query'
export {
  AbortError,
  AmbiguousWriteError,
  AuthenticationError,
  BatchError,
  BudgetError,
  DeadlineError,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  ServiceError,
  TableAlreadyExistsError,
  TableNotFoundError,
  TransportError,
  type TransportFailure,
  type WriteOutcome,
} from '@rowkey/rest'

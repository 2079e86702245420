import { FilterSyntaxError } from '@rowkey/odata'
import type { Rejection } from '../rejection/rejection.ts'
import type { RejectionCode } from '../rejection/rejection-codes.ts'
import type { RejectionContext } from './rejection-response.ts'
import type { ServiceResponse } from './service-response.ts'

/** What Cosmos DB says in place of a code and its text. */
interface CosmosWords {
  readonly code: string
  readonly text: string
  readonly status?: number
  /** Whether the text names the activity and the software of the server. */
  readonly hasActivity?: boolean
}

const MISSING = {
  code: 'ResourceNotFound',
  text: 'The specified resource does not exist.',
  status: 404,
}
const INVALID = {
  code: 'InvalidInput',
  text: 'One of the input values is invalid.',
  status: 400,
  hasActivity: true,
}
const INVALID_URL = { ...INVALID, text: 'Request url is invalid.' }

/** The words as they were recorded. All other rejections have those of Table storage. */
const WORDS: { readonly [Code in RejectionCode]?: CosmosWords } = {
  InvalidInput: INVALID,
  InvalidUri: INVALID_URL,
  MethodNotAllowed: INVALID,
  NotImplemented: {
    code: 'NotImplemented',
    text: 'The requested operation is not supported.',
    hasActivity: true,
  },
  PropertiesNeedValue: {
    code: 'PropertiesNeedValue',
    text: 'PartitionKey/RowKey cannot be empty',
    hasActivity: true,
  },
  TableAlreadyExists: { code: 'TableAlreadyExists', text: 'The specified table already exists.' },
  TableNotFound: MISSING,
  TooManyRequests: {
    code: '429',
    text: 'Message: {"Errors":["Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429"]}',
    hasActivity: true,
  },
}

/** Writes a rejection as Cosmos DB does: JSON, whatever the client accepts. */
export function cosmosRejection(
  rejection: Rejection,
  { requestId }: RejectionContext,
): ServiceResponse {
  const { code, text, status, hasActivity } = wordsOf(rejection)
  const activity = hasActivity ? `\r\nActivityId: ${requestId}, Rowkey-Local-Table/1.0` : ''
  const { index } = rejection
  const place = index === undefined ? text : `${index}:${text}\n`
  const value = JSON.stringify(`${place}${activity}\nRequestID:${requestId}\n`)
  return {
    status: status ?? rejection.status,
    headers: { ...rejection.headers, 'content-type': 'application/json;odata=fullmetadata' },
    body: `{"odata.error":{"code":"${code}","message":{"lang":"en-us","value":${value}}}}\r\n`,
  }
}

const INDEX = /^\d+:/

function wordsOf({ code, message, cause }: Rejection): CosmosWords {
  if (cause instanceof FilterSyntaxError) return INVALID_URL
  return WORDS[code] ?? { code, text: message.replace(INDEX, '') }
}

import {
  createTableIfNotExists,
  deleteTableIfExists,
  type Operation,
  type TableAddress,
} from '@rowkey/rest'
import type { RestError } from '../errors/rest-error.ts'
import type { FullOperationResponse } from '../pipeline/interfaces.ts'
import type { OpenClient } from './open-client.ts'
import type { OperationOptions } from './operation-options.ts'
import { send } from './send.ts'

/** Create Table as the official client sends it: it asks for the table, so that the status is 201. */
const createTable: Operation<TableAddress, boolean> = {
  ...createTableIfNotExists,
  toRequest(address, endpoint) {
    const request = createTableIfNotExists.toRequest(address, endpoint)
    const { prefer: _, ...headers } = request.headers
    return { ...request, headers }
  },
}

/**
 * Creates a table; a table that exists already is fine.
 *
 * @param client - what to send with
 * @param table - the name
 * @param options - the options of the call
 */
export async function createdTable(
  client: OpenClient,
  table: string,
  options: OperationOptions,
): Promise<void> {
  const sending = { operation: createTable, input: { table }, where: 'createTable' }
  await send(client, sending, options, () => undefined).catch((error: unknown) => {
    // A policy has said so.
    const response = responseOf(error)
    if (response?.parsedBody?.odataError?.code !== 'TableAlreadyExists') throw error
    options?.onResponse?.(response, {})
  })
}

/**
 * Deletes a table with all its entities; a table that does not exist is fine.
 *
 * @param client - what to send with
 * @param table - the name
 * @param options - the options of the call
 */
export async function deletedTable(
  client: OpenClient,
  table: string,
  options: OperationOptions,
): Promise<void> {
  const sending = { operation: deleteTableIfExists, input: { table }, where: 'deleteTable' }
  await send(client, sending, options, () => undefined).catch((error: unknown) => {
    if (!(error instanceof Error && Object(error).statusCode === 404)) throw error
  })
}

/** Policies throw the RestError of another package. */
function responseOf(error: unknown): FullOperationResponse | undefined {
  const { name, response }: Partial<RestError> = Object(error)
  return name === 'RestError' ? response : undefined
}

import {
  type CalledOperation,
  createTable,
  deleteEntity,
  deleteTable,
  type Endpoint,
  endpointOf,
  entityGroupTransaction,
  getEntity,
  getServiceProperties,
  getTableAcl,
  type HttpRequest,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  type Operation,
  queryEntities,
  queryTables,
  updateEntity,
} from '@rowkey/rest'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkSasScope, readSasScope } from '../../../packages/rest/src/sas/sas-scope.ts'
import { ACCOUNT, Conversation, NOON, ORIGIN, partsOf } from '../../support/local-conversation.ts'
import { accountSas, tableSas } from '../../support/local-sas.ts'

const endpoint = endpointOf(`${ORIGIN}/${ACCOUNT}`)
const cosmos = endpointOf(`${ORIGIN}/${ACCOUNT}`, { flavour: 'cosmos' })

interface Asked extends CalledOperation {
  readonly request: HttpRequest
}

function asked<Input>(
  operation: Operation<Input, unknown>,
  input: Input,
  at: Endpoint = endpoint,
): Asked {
  return { operation, input, request: operation.toRequest(input, at) }
}

/** All operations on rows. The writes change only rows that no later request uses. */
const rowCalls = fc
  .record({
    table: fc.constantFrom('people', 'People', 'others'),
    rowKey: fc.constantFrom('1', '3', '5'),
  })
  .chain(({ table, rowKey }) => {
    const key = { partitionKey: 'p', rowKey }
    const write = { table, key, body: JSON.stringify({ PartitionKey: 'p', RowKey: rowKey }) }
    const any = { ...write, etag: '*' }
    return fc.constantFrom(
      asked(getEntity, { table, key }),
      asked(queryEntities, { table }),
      asked(insertEntity, write),
      asked(insertOrReplaceEntity, write),
      asked(updateEntity, any),
      asked(insertOrMergeEntity, write),
      asked(mergeEntity, any, cosmos),
      asked(deleteEntity, any),
      asked(entityGroupTransaction, {
        table,
        changes: [{ operation: insertEntity, input: write }],
      }),
    )
  })
const otherCalls = fc.constantFrom(
  asked(queryTables, {}),
  asked(createTable, { table: 'people' }),
  asked(deleteTable, { table: 'missing' }),
  asked(getServiceProperties, {}),
  asked(getTableAcl, { table: 'people' }),
)

const lettersOf = (letters: string, minLength = 1) =>
  fc.subarray([...letters], { minLength }).map((chosen) => chosen.join(''))
const bound = fc.constantFrom(undefined, '2', '4')
const tokens = fc.oneof(
  fc
    .record({
      tn: fc.constantFrom('people', 'PEOPLE'),
      sp: lettersOf('raud'),
      srk: bound,
      erk: bound,
    })
    .map(({ srk, erk, ...rest }) =>
      tableSas({ ...rest, ...(srk && { spk: 'p', srk }), ...(erk && { epk: 'p', erk }) }),
    ),
  fc
    .record({
      sp: lettersOf('rwdlacup'),
      srt: lettersOf('sco'),
      ss: fc.constantFrom('t', 'bt', 'b'),
      spr: fc.constantFrom(undefined, 'https', 'https,http'),
    })
    .map(accountSas),
)

describe('the check of our client', () => {
  let service: Conversation
  beforeAll(async () => {
    service = await Conversation.withTable('people')
    await service.send('POST', '/Tables', { body: { TableName: 'others' } })
  })

  const isRefusedByUs = (call: Asked, token: string) => {
    try {
      checkSasScope(readSasScope(token), call.request, NOON, call)
      return false
    } catch {
      return true
    }
  }

  const statusOf = async ({ request }: Asked, sas: string) => {
    const { method, path, query, headers, body } = request
    const target = `${path.slice(ACCOUNT.length + 1)}${query && `?${query}`}`
    const said = { headers, sas, ...(body !== undefined && { body }) }
    const response = await service.send(method, target, said)
    return response.status === 202 ? partsOf(response)[0]?.status : response.status
  }

  it('R-81: rejects exactly what the service would reject', async () => {
    const seen = new Set<boolean>()
    await fc.assert(
      fc.asyncProperty(fc.oneof(rowCalls, otherCalls), tokens, async (call, token) => {
        const isRefused = isRefusedByUs(call, token)
        seen.add(isRefused)
        const status = await statusOf(call, token)
        // For a row outside the range, the service returns 404 instead of 403.
        if (isRefused) expect([403, 404]).toContain(status)
        else expect(status).not.toBe(403)
      }),
      { numRuns: 500 },
    )
    expect(seen.size).toBe(2)
  })
})

import type { HttpResponse } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anyText } from '../../support/any-text.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { Conversation, changeSetOf, type Said } from '../../support/local-conversation.ts'
import { temporaryFolder } from '../../support/local-folder.ts'
import { randomSteps } from '../../support/random-steps.ts'

const quoted = (text: string) => `'${encodeURIComponent(text).replaceAll("'", "''")}'`

type Sent = readonly [method: string, target: string, said?: Said]

/** What a request may write. */
interface Row {
  readonly table: string
  readonly partitionKey: string
  readonly rowKey: string
  readonly value: string
}

const table = fc.constantFrom('abc', 'abc', 'abc', 'ABCD', 'abcd')
const text = fc.oneof(
  fc.constantFrom('', 'a', "'", '"', '%', 'é', 'é'.repeat(30), '漢'.repeat(512), '\uffff', '🙂'),
  anyText({ maxLength: 2 }),
)
const row: fc.Arbitrary<Row> = fc.record({ table, partitionKey: text, rowKey: text, value: text })

const address = ({ table: name, partitionKey, rowKey }: Row) =>
  `/${name}(PartitionKey=${quoted(partitionKey)},RowKey=${quoted(rowKey)})`
const insert = ({ table: name, partitionKey, rowKey, value }: Row): Sent => [
  'POST',
  `/${name}`,
  { body: { PartitionKey: partitionKey, RowKey: rowKey, value } },
]
const upsert = (method: string, one: Row): Sent => [
  method,
  address(one),
  { body: { value: one.value } },
]
const remove = (one: Row): Sent => ['DELETE', address(one), { headers: { 'if-match': '*' } }]

const batch = (rows: readonly Row[]): Sent => {
  const parts = rows.map(({ value, ...key }) => {
    const headers = { 'content-type': 'application/json' }
    const partitionKey = rows[0]?.partitionKey ?? ''
    return {
      method: 'PUT',
      target: address({ ...key, value, table: 'abc', partitionKey }),
      headers,
      body: { value },
    }
  })
  return ['POST', '/$batch', changeSetOf(...parts)]
}

const query = fc
  .tuple(fc.constantFrom('PartitionKey', 'RowKey', 'value'), fc.constantFrom('eq', 'gt', 'le'), row)
  .map(([name, operator, { table: of, value }]): Sent => {
    const filter = `${name} ${operator} '${value.replaceAll("'", "''")}'`
    return ['GET', `/${of}()?$top=5&$filter=${encodeURIComponent(filter)}`]
  })

const request = fc.oneof(
  { weight: 4, arbitrary: row.map(insert) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom('PUT', 'MERGE'), row).map((one) => upsert(...one)),
  },
  { weight: 2, arbitrary: row.map(remove) },
  { weight: 2, arbitrary: row.map((one): Sent => ['GET', address(one)]) },
  { weight: 2, arbitrary: fc.array(row, { minLength: 1, maxLength: 4 }).map(batch) },
  { weight: 3, arbitrary: query },
  { weight: 1, arbitrary: table.map((name): Sent => ['DELETE', `/Tables('${name}')`]) },
  {
    weight: 2,
    arbitrary: table.map((name): Sent => ['POST', '/Tables', { body: { TableName: name } }]),
  },
)

const END: readonly Sent[] = [
  ['GET', '/Tables'],
  ['GET', '/abc()'],
  ['GET', '/abcd()'],
]

/** Returns a response without the ids of its request, which begin anew with each service. */
const shown = ({ status, headers, body }: HttpResponse) =>
  JSON.stringify([status, headers, body]).replace(/id-\d+/g, 'id')

describe('a folder', () => {
  longTest(
    'gives the responses of a service in memory to any requests, over restarts',
    async () => {
      const requests = fc.array(fc.option(request, { freq: 20 }), { minLength: 30, maxLength: 60 })
      await fc.assert(
        fc.asyncProperty(requests, async (all) => {
          const data = await temporaryFolder()
          const memory = new Conversation()
          let folder = new Conversation({ data })
          for (const sent of [...all, ...END]) {
            if (sent === null) {
              await folder.local.close()
              folder = new Conversation({ data })
              continue
            }
            memory.now += 1000
            folder.now = memory.now
            expect(shown(await folder.send(...sent))).toBe(shown(await memory.send(...sent)))
          }
          await folder.local.close()
        }),
        { numRuns: randomSteps(100) },
      )
    },
  )

  it('rejects a request for what the next read shows', async () => {
    const folder = new Conversation({ data: await temporaryFolder() })
    onTestFinished(() => folder.local.close())
    await folder.send('POST', '/Tables', { body: { TableName: 'abc' } })
    const one = { table: 'abc', partitionKey: 'p', rowKey: 'r', value: '' }
    const twice = async (sent: Sent) => {
      const statuses = [sent, sent].map(async (each) => {
        const { status } = await folder.send(...each)
        return [status, (await folder.send('GET', address(one))).status]
      })
      return Promise.all(statuses)
    }
    expect((await twice(insert(one)))[1]).toEqual([409, 200])
    expect((await twice(remove(one)))[1]).toEqual([404, 404])
  })
})

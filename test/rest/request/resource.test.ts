import {
  type Endpoint,
  entityGroupTransaction,
  findEntity,
  getServiceProperties,
  getTableAcl,
  insertEntity,
  type Operation,
  perform,
  queryEntities,
  queryTables,
  type ServiceError,
  setTableAcl,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { entityName, resourceOf } from '../../../packages/rest/src/request/resource.ts'
import { contoso, cosmos, emulator, jeff } from '../people.ts'

const entity = "(PartitionKey='Smith',RowKey='Jeff')"
const people = { table: 'people' }
const key = { partitionKey: 'ä b', rowKey: '%' }

describe.each([
  ['host style', contoso],
  ['path style', emulator],
])('resourceOf, in %s', (_, endpoint: Endpoint) => {
  it.each([
    [people, 'table people'],
    [{ ...people, changes: [] }, 'table people'],
    [jeff, `people${entity}`],
    [{ ...people, key }, "people(PartitionKey='ä b',RowKey='%')"],
    [{}, `account ${endpoint.account}`],
  ])('names what the input %j is about', (input, resource) => {
    expect(resourceOf(input, endpoint)).toBe(resource)
  })
})

describe('the message of an error', () => {
  const messageOf = async <Input>(operation: Operation<Input, unknown>, input: Input) => {
    const transport = async () => ({ status: 400, headers: {}, body: '' })
    const credential = { authorize: (request: never) => request }
    const service = tableService({ endpoint: contoso, credential, transport })
    const error = await perform(service, operation, input).catch((thrown: ServiceError) => thrown)
    return (error as ServiceError).message
  }

  it('names the table, the entity or the account', async () => {
    expect(await messageOf(queryEntities, people)).toContain('queryEntities of table people failed')
    expect(await messageOf(getTableAcl, people)).toContain('of table people failed')
    expect(await messageOf(setTableAcl, { ...people, policies: [] })).toContain('of table people ')
    expect(await messageOf(insertEntity, jeff)).toContain(`of people${entity} failed`)
    expect(await messageOf(findEntity, jeff)).toContain(`of people${entity} failed`)
    expect(await messageOf(queryTables, {})).toContain('of account contoso failed')
    expect(await messageOf(getServiceProperties, {})).toContain('of account contoso failed')
    const changes = [{ operation: insertEntity, input: jeff }]
    expect(await messageOf(entityGroupTransaction, { ...people, changes })).toContain(
      'entityGroupTransaction of table people failed',
    )
  })
})

it.each(['a(b)', 'a()', "o'brien", "Tables('x')", 'my people', '100%', '表格'])(
  'R-177: names the table %s of Cosmos DB by its whole name',
  (table) => {
    expect(resourceOf({ table }, cosmos)).toBe(`table ${table}`)
    expect(resourceOf({ ...jeff, table }, cosmos)).toBe(`${table}${entity}`)
  },
)

it('names an entity whose key has parentheses and quotes', () => {
  const key = { partitionKey: "O'Neil ()", rowKey: "('x')" }
  expect(entityName({ table: 'people', key })).toBe(
    "people(PartitionKey='O''Neil ()',RowKey='(''x'')')",
  )
})

import {
  createTable,
  deleteEntity,
  deleteTable,
  entityGroupTransaction,
  getEntity,
  getServiceProperties,
  getServiceStats,
  getTable,
  getTableAcl,
  type HttpRequest,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  queryEntities,
  queryTables,
  type SasLack,
  setServiceProperties,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  checkSasScope,
  readParts,
  readSasScope,
  requestedAccess,
} from '../../../packages/rest/src/sas/sas-scope.ts'
import { contoso, cosmos, emulator, etag, jeff } from '../people.ts'
import { inMinutes, now } from './signer.ts'

const named = { ...jeff, etag }
const table = { table: 'people' }
const tunnelled: HttpRequest = {
  ...mergeEntity.toRequest(named, contoso),
  method: 'POST',
  headers: { 'if-match': etag, 'x-http-method': 'DELETE' },
}

describe('requestedAccess', () => {
  it.each<[string, HttpRequest, string]>([
    ['getEntity', getEntity.toRequest(jeff, contoso), 'o r'],
    ['getEntity of an emulator', getEntity.toRequest(jeff, emulator), 'o r'],
    ['queryEntities', queryEntities.toRequest(table, contoso), 'o r'],
    ['insertEntity', insertEntity.toRequest(jeff, contoso), 'o a'],
    ['updateEntity', updateEntity.toRequest(named, contoso), 'o u'],
    ['mergeEntity', mergeEntity.toRequest(named, contoso), 'o u'],
    ['mergeEntity of Cosmos DB', mergeEntity.toRequest(named, cosmos), 'o u'],
    ['insertOrMergeEntity', insertOrMergeEntity.toRequest(jeff, contoso), 'o au'],
    ['insertOrMergeEntity of Cosmos DB', insertOrMergeEntity.toRequest(jeff, cosmos), 'o au'],
    ['insertOrReplaceEntity', insertOrReplaceEntity.toRequest(jeff, contoso), 'o au'],
    ['deleteEntity', deleteEntity.toRequest(named, contoso), 'o d'],
    ['queryTables', queryTables.toRequest({}, contoso), 'c l'],
    ['getTable', getTable.toRequest(table, contoso), 'c'],
    ['createTable', createTable.toRequest(table, contoso), 'c c w'],
    ['deleteTable', deleteTable.toRequest(table, contoso), 'c d'],
    ['getServiceProperties', getServiceProperties.toRequest({}, contoso), 's r'],
    ['setServiceProperties', setServiceProperties.toRequest({ cors: [] }, contoso), 's w'],
    ['getServiceStats', getServiceStats.toRequest({}, contoso), 's r'],
    ['a HEAD', { ...getEntity.toRequest(jeff, contoso), method: 'HEAD' }, 'o r'],
    ['a tunnelled DELETE', tunnelled, 'o d'],
  ])('R-81: knows what %s needs', (_, request, expected) => {
    const [access] = requestedAccess(request)
    expect([access?.resourceType, ...(access?.needs ?? [])].join(' ')).toBe(expected)
    if (access?.resourceType === 'o') expect(access.table).toBe('people')
  })

  it.each([
    { partitionKey: '', rowKey: '' },
    { partitionKey: "O'Brien',RowKey='", rowKey: "''" },
    { partitionKey: 'a%20b+c', rowKey: '日本語 (1)' },
  ])('R-81: reads the key %j from the path and from the body', (key) => {
    const keyOf = (request: HttpRequest) => requestedAccess(request)[0]?.key?.()
    expect(keyOf(getEntity.toRequest({ table: 'people', key }, emulator))).toEqual(key)
    const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey })
    expect(keyOf(insertEntity.toRequest({ table: 'people', key, body }, emulator))).toEqual(key)
  })

  it('finds no key in a query or an invalid body', () => {
    const keyOf = (request: HttpRequest) => requestedAccess(request)[0]?.key?.()
    expect(keyOf(queryEntities.toRequest(table, contoso))).toBeUndefined()
    const half = ['{"PartitionKey":"Smith","RowKey":1}', '{"RowKey":"Jeff"}']
    for (const body of ['{"PartitionKey":1}', ...half, 'not JSON', undefined]) {
      const request = insertEntity.toRequest(jeff, contoso)
      expect(keyOf({ ...request, body })).toBeUndefined()
    }
  })

  it.each(['/', '/%E0%A4%A', '/a/b-c', '/people(x)', '/$batch'])(
    'leaves %s to the service',
    (path) => {
      const request = getEntity.toRequest(jeff, contoso)
      expect(requestedAccess({ ...request, path })).toEqual([])
    },
  )
})

describe('readParts', () => {
  it('reads back the requests of a change set', () => {
    const ben = { ...jeff, key: { partitionKey: 'Smith', rowKey: 'Ben' } }
    const changes = [
      { operation: updateEntity, input: { ...jeff, etag } },
      { operation: insertOrMergeEntity, input: ben },
    ]
    const { body } = entityGroupTransaction.toRequest({ table: 'people', changes }, emulator)
    const parts = readParts(body ?? '')
    expect(parts.map(({ path, query, body }) => [path, query, body])).toEqual(
      ['Jeff', 'Ben'].map((name) => [
        `/devstoreaccount1/people(PartitionKey='Smith',RowKey='${name}')`,
        '',
        jeff.body,
      ]),
    )
    expect(parts[0]).toMatchObject({ method: 'PUT', headers: { 'if-match': etag } })
    expect(parts[1]?.headers).not.toHaveProperty('if-match')
  })

  it.each(['', 'garbage', '--a\r\n\r\n--b--'])('finds no request in %j', (body) => {
    expect(readParts(body)).toEqual([])
  })
})

describe('readSasScope', () => {
  it('R-81: reads a table SAS', () => {
    const token =
      'sv=2019-02-02&tn=people&sp=ra&st=2021-09-21&se=2099-01-01T00:00Z&spr=https&spk=&srk=a%20b&epk=O%27Brien&sig=x'
    expect(readSasScope(token)).toEqual({
      start: Date.UTC(2021, 8, 21),
      expiry: Date.UTC(2099, 0),
      permissions: 'ra',
      protocol: 'https',
      table: 'people',
      range: {
        from: { partitionKey: '', rowKey: 'a b' },
        to: { partitionKey: "O'Brien", rowKey: undefined },
      },
      services: undefined,
      resourceTypes: undefined,
    })
  })

  it('R-81: reads an account SAS', () => {
    const scope = readSasScope('sv=2019-02-02&ss=tb&srt=co&sp=rl&se=2099-01-01&sig=x')
    expect(scope).toMatchObject({ services: 'tb', resourceTypes: 'co', permissions: 'rl' })
    expect(scope.range).toEqual({ from: undefined, to: undefined })
  })

  it('leaves open what a policy sets, and what it cannot read', () => {
    const scope = readSasScope('sv=2030-01-01&si=support&se=someday&sig=x')
    expect(Object.values(scope).filter((value) => value !== undefined)).toEqual([{}])
  })
})

const get = getEntity.toRequest(jeff, contoso)
const insert = insertEntity.toRequest(jeff, contoso)
const upsert = insertOrMergeEntity.toRequest(jeff, contoso)
const erase = deleteEntity.toRequest({ ...jeff, etag: '*' }, contoso)
const query = queryEntities.toRequest({ table: 'people' }, contoso)
const list = queryTables.toRequest({}, contoso)
const create = createTable.toRequest({ table: 'people' }, contoso)
const batch = entityGroupTransaction.toRequest(
  {
    table: 'people',
    changes: [
      { operation: insertOrMergeEntity, input: jeff },
      {
        operation: deleteEntity,
        input: { ...jeff, key: { partitionKey: 'Smith', rowKey: 'Ben' }, etag: '*' },
      },
    ],
  },
  contoso,
)

const check = (token: string, request: HttpRequest) => () =>
  checkSasScope(readSasScope(`${token}&sv=2019-02-02&sig=c2VjcmV0`), request, now())

describe('checkSasScope', () => {
  it.each<[string, HttpRequest]>([
    ['tn=people&sp=r', get],
    ['tn=PEOPLE&sp=r', query],
    ['tn=people&sp=raud', batch],
    ['tn=people&sp=a', insert],
    ['tn=people&si=support', upsert],
    ['tn=people&sp=r&spk=Smith&srk=Jeff&epk=Smith&erk=Jeff', get],
    ['tn=people&sp=r&spk=T', query],
    ['ss=t&srt=co&sp=rl', list],
    ['ss=bqtf&srt=sco&sp=w', create],
    ['ss=t&srt=c&sp=c', create],
    // No page says which letter it needs.
    ['ss=t&srt=c&sp=l', getTable.toRequest({ table: 'people' }, contoso)],
    [`tn=people&sp=r&st=${inMinutes(15).toISOString()}`, get],
    [`tn=people&sp=r&se=${inMinutes(1).toISOString()}`, get],
    ['tn=people&sp=r&spr=https,http', getEntity.toRequest(jeff, emulator)],
    ['', create],
  ])('R-81: accepts what %s allows', (token, request) => {
    expect(check(token, request)).not.toThrow()
  })

  it.each<[string, HttpRequest, SasLack, RegExp]>([
    ['tn=people&sp=r', insert, 'permission', /'r', and this call needs 'a'/],
    ['tn=people&sp=a', upsert, 'permission', /'a', and this call needs 'au'/],
    ['tn=people&sp=rau', batch, 'permission', /needs 'd'/],
    ['tn=people&sp=ud', batch, 'permission', /needs 'au'/],
    ['ss=t&srt=c&sp=rl', create, 'permission', /'c' or 'w'/],
    ['tn=customers&sp=raud', get, 'table', /'customers', and this call is about 'people'/],
    ['tn=customers&sp=raud', batch, 'table', /people/],
    ['tn=people&sp=raud', list, 'resourceType', /one table/],
    ['ss=t&srt=c&sp=rwdlau', get, 'resourceType', /entities need 'o'/],
    ['ss=b&srt=sco&sp=rwdlau', get, 'service', /without 't'/],
    ['tn=people&sp=raud&epk=R', get, 'keyRange', /people\(PartitionKey='Smith',RowKey='Jeff'\) is/],
    ['tn=people&sp=raud&spk=Smith&srk=Jeffry', erase, 'keyRange', /range of keys/],
    ['tn=people&sp=raud&epk=', insert, 'keyRange', /range of keys/],
    ['tn=people&sp=raud&spk=Smith&srk=C', batch, 'keyRange', /RowKey='Ben'\) is outside its range/],
    [
      `tn=people&sp=r&se=${inMinutes(0).toISOString()}`,
      get,
      'time',
      /expired at 2021-09-21T12:00:00.000Z, and this machine's clock says 2021-09-21T12:00/,
    ],
    [
      `tn=people&sp=r&st=${inMinutes(16).toISOString()}`,
      get,
      'time',
      /starts at 2021-09-21T12:16:00.000Z, and this machine's clock says 2021-09-21T12:00/,
    ],
    ['tn=people&sp=r&spr=https', getEntity.toRequest(jeff, emulator), 'protocol', /plain http/],
  ])('R-81, R-162: rejects what %s does not allow', (token, request, missing, says) => {
    expect(check(token, request)).toThrow(
      expect.objectContaining({
        code: 'OutsideSasScope',
        details: { missing },
        message: expect.stringMatching(says),
      }),
    )
    expect(check(token, request)).not.toThrow(/c2VjcmV0/)
  })

  it.each(['tn=people&sp=raud', 'ss=t&srt=sco&sp=rwdlau'])(
    'R-82: rejects stored access policies with %s',
    (token) => {
      expect(check(token, getTableAcl.toRequest({ table: 'people' }, contoso))).toThrow(
        expect.objectContaining({ code: 'AccountKeyRequired' }),
      )
    },
  )
})

import * as rest from '@rowkey/rest'
import {
  type CalledOperation,
  createTable,
  deleteEntity,
  deleteEntityIfExists,
  deleteTable,
  entityGroupTransaction,
  findEntity,
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
  type Operation,
  queryEntities,
  queryTables,
  type SasLack,
  setServiceProperties,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  checkSasScope,
  readSasScope,
  requestedAccess,
} from '../../../packages/rest/src/sas/sas-scope.ts'
import { contoso, emulator, etag, jeff, read } from '../people.ts'
import { inMinutes, now } from './signer.ts'

function called<Input>(operation: Operation<Input, unknown>, input: Input): CalledOperation {
  return { operation, input }
}

function isOperation(value: unknown): value is Operation<never, unknown> {
  return typeof Object(value).toRequest === 'function'
}

const named = { ...jeff, etag }
const table = { table: 'people' }
const ben = { ...jeff, key: { partitionKey: 'Smith', rowKey: 'Ben' } }

const get = called(getEntity, jeff)
const insert = called(insertEntity, jeff)
const upsert = called(insertOrMergeEntity, jeff)
const erase = called(deleteEntity, { ...jeff, etag: '*' })
const query = called(queryEntities, table)
const list = called(queryTables, {})
const create = called(createTable, table)
const batch = called(entityGroupTransaction, {
  table: 'people',
  changes: [
    { operation: insertOrMergeEntity, input: jeff },
    { operation: deleteEntity, input: { ...ben, etag: '*' } },
  ],
})

describe('requestedAccess', () => {
  it.each<[string, CalledOperation, string]>([
    ['getEntity', called(getEntity, jeff), 'o r'],
    ['findEntity', called(findEntity, jeff), 'o r'],
    ['queryEntities', called(queryEntities, table), 'o r'],
    ['insertEntity', called(insertEntity, jeff), 'o a'],
    ['updateEntity', called(updateEntity, named), 'o u'],
    ['mergeEntity', called(mergeEntity, named), 'o u'],
    ['insertOrMergeEntity', called(insertOrMergeEntity, jeff), 'o au'],
    ['insertOrReplaceEntity', called(insertOrReplaceEntity, jeff), 'o au'],
    ['deleteEntity', called(deleteEntity, named), 'o d'],
    ['deleteEntityIfExists', called(deleteEntityIfExists, named), 'o d'],
    ['queryTables', called(queryTables, {}), 'c l'],
    ['getTable', called(getTable, table), 'c'],
    ['createTable', called(createTable, table), 'c c w'],
    ['deleteTable', called(deleteTable, table), 'c d'],
    ['getServiceProperties', called(getServiceProperties, {}), 's r'],
    ['setServiceProperties', called(setServiceProperties, { cors: [] }), 's w'],
    ['getServiceStats', called(getServiceStats, {}), 's r'],
  ])('R-81: knows what %s needs', (_, call, expected) => {
    const [access] = requestedAccess(call)
    expect([access?.resourceType, ...(access?.needs ?? [])].join(' ')).toBe(expected)
    if (access?.resourceType === 'o') expect(access.table).toBe('people')
  })

  it('R-81: knows every operation of this package', () => {
    const exported: readonly unknown[] = Object.values(rest)
    const operations = exported.filter(isOperation)
    expect(operations.length).toBeGreaterThan(20)
    const unknown = operations.filter(({ parts, name }) => {
      return parts === undefined && requestedAccess({ operation: { name }, input: {} }).length === 0
    })
    // No signature allows the access policies of a table.
    expect(unknown.map(({ name }) => name)).toEqual(['getTableAcl', 'setTableAcl'])
  })

  it('R-81: knows the key of an entity, and none of a query', () => {
    expect(requestedAccess(called(insertEntity, jeff))[0]?.key).toEqual(jeff.key)
    expect(requestedAccess(called(queryEntities, table))[0]?.key).toBeUndefined()
  })

  it('knows what each change of a batch needs', () => {
    expect(requestedAccess(batch).map(({ needs, key }) => [...needs, key])).toEqual([
      ['au', jeff.key],
      ['d', ben.key],
    ])
  })

  it('leaves other operations to the service', () => {
    expect(requestedAccess({ operation: { name: 'checkHealth' }, input: {} })).toEqual([])
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

const check =
  (token: string, call: CalledOperation, request: HttpRequest = read) =>
  () =>
    checkSasScope(readSasScope(`${token}&sv=2019-02-02&sig=c2VjcmV0`), request, now(), call)

describe('checkSasScope', () => {
  it.each<[string, CalledOperation]>([
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
    [`tn=people&sp=r&st=${inMinutes(15).toISOString()}`, get],
    [`tn=people&sp=r&se=${inMinutes(1).toISOString()}`, get],
    ['', create],
  ])('R-81: accepts what %s allows', (token, call) => {
    expect(check(token, call)).not.toThrow()
  })

  it.each<[string, CalledOperation, SasLack, RegExp]>([
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
    ['tn=people&sp=raud&epk=R', get, 'keyRange', /range of keys/],
    ['tn=people&sp=raud&spk=Smith&srk=Jeffry', erase, 'keyRange', /range of keys/],
    ['tn=people&sp=raud&epk=', insert, 'keyRange', /range of keys/],
    ['tn=people&sp=raud&spk=Smith&srk=C', batch, 'keyRange', /range of keys/],
    [`tn=people&sp=r&se=${inMinutes(0).toISOString()}`, get, 'time', /expired at 2021-09-21T12:00/],
    [`tn=people&sp=r&st=${inMinutes(16).toISOString()}`, get, 'time', /starts at/],
  ])('R-81, R-162: rejects what %s does not allow', (token, call, missing, says) => {
    expect(check(token, call)).toThrow(
      expect.objectContaining({
        code: 'OutsideSasScope',
        details: { missing },
        message: expect.stringMatching(says),
      }),
    )
    expect(check(token, call)).not.toThrow(/c2VjcmV0/)
  })

  it.each(['tn=people&sp=raud', 'ss=t&srt=sco&sp=rwdlau'])(
    'R-82: rejects stored access policies with %s',
    (token) => {
      const request = getTableAcl.toRequest(table, contoso)
      expect(check(token, called(getTableAcl, table), request)).toThrow(
        expect.objectContaining({ code: 'AccountKeyRequired' }),
      )
    },
  )

  it('R-81: allows plain http only to a token that allows it', () => {
    const request = getEntity.toRequest(jeff, emulator)
    expect(check('tn=people&sp=r&spr=https,http', get, request)).not.toThrow()
    expect(check('tn=people&sp=r&spr=https', get, request)).toThrow(
      expect.objectContaining({ details: { missing: 'protocol' } }),
    )
  })
})

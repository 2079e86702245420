import * as odata from '@rowkey/odata'
import { InputError, isRowkeyError } from '@rowkey/odata'
import * as rest from '@rowkey/rest'
import {
  accountSas,
  checkTableName,
  deleteEntity,
  endpointOf,
  entityGroupTransaction,
  environmentAddress,
  getServiceStats,
  insertEntity,
  parseConnectionString,
  parseContinuationToken,
  queryEntities,
  type RestErrorCode,
  SasCredential,
  SharedKeyCredential,
  setServiceProperties,
  setTableAcl,
  tableSas,
  tableService,
} from '@rowkey/rest'
import { beforeAll, describe, expect, it } from 'vitest'
import { restErrorCodes, restInputError } from '../../../packages/rest/src/errors/codes.ts'
import { contoso, cosmos, jeff, read } from '../people.ts'

const classes: Readonly<Record<string, unknown>> = { ...odata, ...rest }
const entries = Object.entries(restErrorCodes)

describe('restErrorCodes', () => {
  it.each(entries)('names an exported class for %s', (_, entry) => {
    expect(classes[entry.class]).toBeTypeOf('function')
  })

  it.each(entries)('says in sentences when %s occurs and what to do', (_, entry) => {
    expect(entry.when).toMatch(/^\S.*\.$/)
    expect(entry.fix).toMatch(/^\S.*\.$/)
  })

  it('is in alphabetical order', () => {
    const codes = entries.map(([code]) => code)
    expect(codes).toEqual([...codes].sort((a, b) => (a < b ? -1 : 1)))
  })
})

describe('restInputError', () => {
  it('makes an InputError with code, details and cause', () => {
    const cause = new TypeError('below')
    const error = restInputError({
      code: 'EntityTooLarge',
      message: 'no',
      details: { property: 'photo', count: 2, limit: 1 },
      cause,
    })
    expect(error).toBeInstanceOf(InputError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'InputError',
      code: 'EntityTooLarge',
      message: 'no',
      details: { property: 'photo', count: 2, limit: 1 },
      cause,
    })
  })
})

const credential = new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' })
const http = 'DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey=c2VjcmV0'
const sas = new SasCredential(
  'sv=2019-02-02&sp=a&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
)
const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 253 }, (_, i) => [`p${i}`, 1])))
const large = JSON.stringify({ photo: 'x'.repeat(40_000) })

// The first call of a token loads the code that judges it; later calls throw at once.
beforeAll(async () => {
  const allowed = new SasCredential(
    'sv=2019-02-02&tn=people&sp=r&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
  )
  await allowed.authorize(read, contoso, 0)
})

describe('an InputError', () => {
  it.each<[RestErrorCode, () => unknown, object?]>([
    ['AccountKeyRequired', () => sas.authorize({ ...read, query: 'comp=acl' }, contoso, 0)],
    [
      'EntityTooLarge',
      () => insertEntity.toRequest({ ...jeff, body: large }, contoso),
      { property: 'photo', count: 80_000, limit: 65_536 },
    ],
    ['InsecureEndpoint', () => tableService({ connectionString: http })],
    [
      'InvalidAccessPolicy',
      () => setTableAcl.toRequest({ table: 'people', policies: [{ id: '' }] }, contoso),
    ],
    [
      'InvalidBatch',
      () => entityGroupTransaction.toRequest({ table: 'people', changes: [] }, contoso),
      {},
    ],
    ['InvalidConnectionString', () => parseConnectionString('AccountName=contoso')],
    ['InvalidContinuationToken', () => parseContinuationToken('not a token')],
    ['InvalidCredential', () => new SasCredential('not a SAS')],
    ['InvalidETag', () => deleteEntity.toRequest({ ...jeff, etag: '*\r\n' }, contoso)],
    ['InvalidEndpoint', () => endpointOf('contoso')],
    ['InvalidEnvironment', () => environmentAddress({})],
    ['InvalidQueryOption', () => queryEntities.toRequest({ table: 'people', top: 0 }, contoso)],
    [
      'InvalidSas',
      () => tableSas({ credential, table: 'people', permissions: 'x', expiry: new Date(8e15) }),
    ],
    [
      'InvalidServiceProperties',
      () => setServiceProperties.toRequest({ cors: 7 as never }, contoso),
    ],
    ['InvalidTableName', () => checkTableName('a')],
    [
      'ReservedPropertyName',
      () => insertEntity.toRequest({ ...jeff, body: '{"id":"7"}' }, cosmos),
      { property: 'id' },
    ],
    ['MissingETag', () => deleteEntity.toRequest(jeff, contoso)],
    ['OutsideSasScope', () => sas.authorize(read, contoso, 0), { missing: 'permission' }],
    [
      'TooManyProperties',
      () => insertEntity.toRequest({ ...jeff, body: wide }, contoso),
      { count: 253, limit: 252 },
    ],
    ['UnsupportedOperation', () => getServiceStats.toRequest({}, cosmos)],
    [
      'AccountKeyRequired',
      () =>
        accountSas({
          credential: sas as never,
          permissions: 'r',
          resourceTypes: 'o',
          expiry: new Date(4e12),
        }),
    ],
  ])('has the code %s', (code, act, details) => {
    expect(act).toThrow(InputError)
    expect(act).toThrow(
      expect.objectContaining({ name: 'InputError', code, ...(details && { details }) }),
    )
  })
})

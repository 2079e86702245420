import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  generateAccountSas,
  generateTableSas,
  odata,
  TableClient,
  TableServiceClient,
  TableTransaction,
} from '@rowkey/data-tables'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const key = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
const row = { partitionKey: 'p', rowKey: 'r' }
const metrics = { enabled: true, includeAPIs: true }

type Call = (opened: Awaited<ReturnType<typeof openPeople>>) => unknown

/** Calls with a wrong argument that JavaScript callers may make, and what the message names. */
const WRONG: readonly (readonly [title: string, call: Call, names: RegExp])[] = [
  [
    'an unknown query option',
    ({ people }) => people.listEntities(never({ queryOptions: { filtre: 'x' } })),
    /queryOptions of listEntities has no option 'filtre'/,
  ],
  [
    'a filter beside the query options',
    ({ people }) => people.listEntities(never({ filter: "PartitionKey eq 'p'" })),
    /listEntities has no option 'filter'. Use queryOptions: { filter }./,
  ],
  [
    'a select beside the query options',
    ({ people }) => people.getEntity('p', 'r', never({ select: ['n'] })),
    /getEntity has no option 'select'. Use queryOptions: { select }./,
  ],
  [
    'query options that are text',
    ({ people }) => people.getEntity('p', 'r', never({ queryOptions: 'n eq 1' })),
    /queryOptions of getEntity must be an object, not /,
  ],
  [
    'a select of another element',
    ({ people }) => people.listEntities(never({ queryOptions: { select: ['a', 1] } })),
    /select of queryOptions of listEntities must be an array of strings/,
  ],
  [
    'a select that is text',
    ({ people }) => people.listEntities(never({ queryOptions: { select: 'a,b' } })),
    /select of queryOptions of listEntities must be an array of strings/,
  ],
  [
    'a filter that is a number',
    ({ service }) => service.listTables(never({ queryOptions: { filter: 7 } })),
    /filter of queryOptions of listTables must be a string/,
  ],
  [
    'a disableTypeConversion that is text',
    ({ people }) => people.getEntity('p', 'r', never({ disableTypeConversion: 'no' })),
    /disableTypeConversion of getEntity must be true or false/,
  ],
  [
    'an ETag that is null',
    ({ people }) => people.updateEntity(row, 'Merge', never({ etag: null })),
    /etag of the action 'update' must be a string; got null/,
  ],
  [
    'a key that is a number',
    ({ people }) => people.createEntity(never({ partitionKey: 'p', rowKey: 7 })),
    /no rowKey that is a string; got a value of type number/,
  ],
  [
    'a key that is absent',
    ({ people }) => people.createEntity(never({ rowKey: 'r' })),
    /The entity has no partitionKey\. /,
  ],
  [
    'actions that are absent',
    ({ people }) => people.submitTransaction(never(undefined)),
    /actions of submitTransaction must be an array, not undefined/,
  ],
  [
    'an action that is an object',
    ({ people }) => people.submitTransaction(never([{}])),
    /Action 0 of submitTransaction must be an array/,
  ],
  [
    'a mode that is a bigint',
    ({ people }) => people.updateEntity(row, never(7n)),
    /mode that is a value of type bigint is unknown. Use 'Merge' or 'Replace'/,
  ],
  [
    'an unknown option of an action',
    ({ people }) => people.submitTransaction(never([['update', row, 'Merge', { Etag: 'x' }]])),
    /action 'update' has no option 'Etag'/,
  ],
  [
    'a transaction over several partitions',
    ({ people }) =>
      people.submitTransaction([
        ['create', row],
        ['create', { ...row, partitionKey: 'q' }],
      ]),
    /All operations in a transaction must target the same partitionKey/,
  ],
  [
    'first actions that are null',
    () => new TableTransaction(never(null)),
    /actions of a TableTransaction must be an array/,
  ],
  [
    'policies that are absent',
    ({ people }) => people.setAccessPolicy(never(undefined)),
    /policies of setAccessPolicy must be an array/,
  ],
  [
    'a policy that is null',
    ({ people }) => people.setAccessPolicy(never([null])),
    /policy 0 of setAccessPolicy must be an object/,
  ],
  [
    'an unknown member of a policy',
    ({ people }) =>
      people.setAccessPolicy(never([{ id: 'x', accessPolicy: { permissions: 'r' } }])),
    /has no option 'permissions'/,
  ],
  ...[null, 7, true].map(
    (id) =>
      [
        `a policy with the id ${id}`,
        ({ people }: Parameters<Call>[0]) => people.setAccessPolicy(never([{ id }])),
        /id of policy 0 of setAccessPolicy must be a string/,
      ] as const,
  ),
  [
    'a policy that expires at a number',
    ({ people }) => people.setAccessPolicy(never([{ id: 'x', accessPolicy: { expiry: 7 } }])),
    /expiry of accessPolicy of policy 0 of setAccessPolicy must be a Date; got 7/,
  ],
  [
    'permissions of a policy that are an array',
    ({ people }) => people.setAccessPolicy(never([{ id: 'x', accessPolicy: { permission: [] } }])),
    /permission of accessPolicy of policy 0 of setAccessPolicy must be a string/,
  ],
  [
    'a signal that is text',
    ({ people }) => people.createEntity(row, never({ abortSignal: 'stop' })),
    /abortSignal of createEntity must be an AbortSignal; got a text/,
  ],
  [
    'an onResponse that is an object',
    ({ people }) => people.createEntity(row, never({ onResponse: {} })),
    /onResponse of createEntity must be a function; got a value of type object/,
  ],
  [
    'options of a query that are text',
    ({ people }) => people.listEntities(never("PartitionKey eq 'p'")),
    /The options of listEntities must be an object, not a value of type string/,
  ],
  [
    'options of getEntity that are a number',
    ({ people }) => people.getEntity('p', 'r', never(7)),
    /The options of getEntity must be an object/,
  ],
  [
    'a URL that is absent',
    () => new TableClient(never(undefined), 'people', key),
    /url of TableClient must be the URL of an account; got undefined/,
  ],
  [
    'a URL that is null',
    () => new TableServiceClient(never(null), key),
    /url of TableServiceClient must be the URL of an account; got null/,
  ],
  [
    'logging that is null',
    ({ service }) => service.setProperties(never({ logging: null })),
    /logging of setProperties must be an object/,
  ],
  [
    'properties that are null',
    ({ service }) => service.setProperties(never(null)),
    /setProperties must be an object/,
  ],
  [
    'an unknown member of the properties',
    ({ service }) => service.setProperties(never({ CORS: [] })),
    /setProperties has no option 'CORS'/,
  ],
  [
    'CORS rules that are an object',
    ({ service }) => service.setProperties(never({ cors: {} })),
    /cors of setProperties must be an array/,
  ],
  [
    'a CORS rule without lists',
    ({ service }) => service.setProperties(never({ cors: [{}] })),
    /allowedOrigins of cors rule 0 of setProperties must be a string/,
  ],
  [
    'a retention without days',
    ({ service }) =>
      service.setProperties({ hourMetrics: { ...metrics, retentionPolicy: { enabled: true } } }),
    /retentionPolicy of hourMetrics of setProperties is enabled and needs days/,
  ],
  [
    'a retention that is a number',
    ({ service }) =>
      service.setProperties({ hourMetrics: never({ ...metrics, retentionPolicy: 7 }) }),
    /retentionPolicy of hourMetrics of setProperties must be an object/,
  ],
  [
    'options of a client that are null',
    () => TableClient.fromConnectionString('UseDevelopmentStorage=true', 'people', never(null)),
    /options of TableClient must be an object/,
  ],
  [
    'options of a service client that are null',
    () => TableServiceClient.fromConnectionString('UseDevelopmentStorage=true', never(null)),
    /options of TableServiceClient must be an object/,
  ],
  [
    'a maxRetries that is a symbol',
    ({ people }) =>
      new TableClient(people.url, 'people', key, {
        retryOptions: { maxRetries: never(Symbol('x')) },
      }),
    /maxRetries of retryOptions must be a whole number/,
  ],
  [
    'a name that is empty',
    () => new AzureNamedKeyCredential('', 'key'),
    /name of an AzureNamedKeyCredential must be a string that is not empty/,
  ],
  [
    'a new key that is absent',
    () => new AzureNamedKeyCredential('name', 'key').update('name', never(undefined)),
    /key of an AzureNamedKeyCredential/,
  ],
  [
    'a signature that is a number',
    () => new AzureSASCredential(never(7)),
    /signature of an AzureSASCredential/,
  ],
  [
    'a SAS without a credential',
    () => generateTableSas('people', never(undefined)),
    /credential of a SAS must be an object/,
  ],
  [
    'an account SAS with a SAS credential',
    () => generateAccountSas(never(new AzureSASCredential('sig=x'))),
    /name of the credential of a SAS/,
  ],
  [
    'an unknown option of a SAS',
    () => generateTableSas('people', key, never({ expiresOM: new Date() })),
    /generateTableSas has no option 'expiresOM'/,
  ],
  [
    'an unknown permission',
    () => generateAccountSas(key, { permissions: never({ read: true }) }),
    /permissions of a SAS has no option 'read'/,
  ],
  [
    'permissions that are null',
    () => generateTableSas('people', key, { permissions: never(null) }),
    /permissions of a SAS must be an object/,
  ],
  [
    'a range of RowKeys without a PartitionKey',
    () => generateTableSas('people', key, { startRowKey: 'a' }),
    /startRowKey needs startPartitionKey/,
  ],
  [
    'an end of RowKeys without a PartitionKey',
    () => generateTableSas('people', key, { endRowKey: 'a' }),
    /endRowKey needs endPartitionKey/,
  ],
  [
    'a last RowKey that is empty',
    () => generateTableSas('people', key, { endPartitionKey: 'a', endRowKey: '' }),
    /The last RowKey of a SAS must not be empty/,
  ],
  [
    'a last PartitionKey that is empty',
    () => generateTableSas('people', key, { endPartitionKey: '' }),
    /The last PartitionKey of a SAS must not be empty/,
  ],
  [
    'an address range that is text',
    () => generateTableSas('people', key, { ipRange: never('1.2.3.4') }),
    /ipRange of a SAS must be an object/,
  ],
  [
    'an object in a filter',
    () => odata`age eq ${{}}`,
    /odata: the value after "age eq " must be a string, .* not a value of type object/,
  ],
  ['undefined in a filter', () => odata`age eq ${undefined}`, /not undefined/],
  ['NaN in a filter', () => odata`age eq ${Number.NaN}`, /finite number, .* not NaN/],
  ['an invalid date in a filter', () => odata`at eq ${new Date(Number.NaN)}`, /valid Date/],
]

it.each(WRONG)('rejects %s before anything is sent', async (_, call, names) => {
  const opened = await openPeople()
  const run = async () => {
    const result = await call(opened)
    if (isIterable(result)) for await (const _item of result) break
  }
  await expect(run()).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(names),
  })
  expect(opened.sent).toEqual([])
})

/** Passes a value as JavaScript can, whatever the type of the parameter. */
function never(value: unknown): never {
  return value as never
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

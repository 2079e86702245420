import { inspect } from 'node:util'
import { localTableService } from '@rowkey/local'
import type { AttemptResult } from '@rowkey/rest'
import {
  type Account,
  anyOf,
  connect,
  DynamicEntity,
  defineEntity,
  Entity,
  filter,
  InputError,
  Json,
  jsonText,
  key,
  ModelError,
  Operation,
  PartitionKey,
  Property,
  RowKey,
  rawFilter,
  Text,
  union,
  upgradeTable,
} from 'rowkey'
import { Encrypted, encryptionKeys, type Secret, signingKeys } from 'rowkey/encryption'
import { AuthenticationError, FilterSyntaxError, SchemaError } from 'rowkey/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

@Entity('people')
class Person {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @Property('Int32') age?: number
  @Property('Guid') card?: string
  @Property('DateTime') since?: Date
  @Json() notes?: unknown
  @Text() history?: string
}

@Entity('people')
class Keyless {
  @Property('Int32') age?: number
}

const SECRET = 'c2VjcmV0LWtleS10aGF0LW11c3Qtbm90LXNob3c='
const KEY = new Uint8Array(32).fill(1)

@Entity({ name: 'patients', signing: signingKeys({ current: 's', keys: { s: KEY } }) })
class Patient {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @Encrypted(encryptionKeys({ current: 'k', keys: { k: KEY } })) ssn?: Secret<string>
}

const jeff = { lastName: 'Smith', firstName: 'Jeff' }

let account: Account
let sent: AttemptResult[]

beforeEach(() => {
  sent = []
  account = connect('memory:', { onAttempt: (attempt) => sent.push(attempt) })
})

afterEach(() => account.close())

const Order = defineEntity({
  name: 'orders',
  partitionKey: key`p`,
  rowKey: key`${'customerId'};${'orderNo:8'}`,
  schema: z.object({ customerId: z.string(), orderNo: z.int(), total: z.number() }),
})
const orders = () => account.table(Order)
const plainKeys = { partitionKey: key`p`, rowKey: key`${'id'}` }
const plainParts = { name: 'plain', ...plainKeys, schema: z.object({ id: z.string() }) }

const people = () => account.table(Person)
const patients = () => account.table(Patient)

/** The class of an error, or the code of an InputError. */
type ErrorKind = string | (new (...args: never[]) => Error)

describe('bad input gives an error of its own, and nothing is sent', () => {
  it.each<[string, () => unknown, ErrorKind, RegExp]>([
    [
      'a connection string that is none',
      () => connect(`AccountName=contoso;AccountKey=${SECRET};EndpointSuffix`),
      'InvalidConnectionString',
      /Pair 3.*'='/,
    ],
    [
      'an account key that is not base64',
      () => connect('AccountName=contoso;AccountKey=not base64!'),
      'InvalidConnectionString',
      /AccountKey.*base64/,
    ],
    [
      'a protocol that is neither http nor https',
      () => connect(`DefaultEndpointsProtocol=ftp;AccountName=contoso;AccountKey=${SECRET}`),
      'InvalidConnectionString',
      /DefaultEndpointsProtocol.*http/,
    ],
    [
      'a table name with a dash',
      () => account.table('my-table'),
      'InvalidTableName',
      /my-table.*letters/,
    ],
    ['a table name of two letters', () => account.table('ab'), 'InvalidTableName', /"ab".*2 to 62/],
    ['the reserved table name', () => account.createTable('tables'), 'InvalidTableName', /tables/],
    [
      'a key with a slash',
      () => people().insert({ ...jeff, lastName: 'Smith/Jones' }),
      'InvalidEntityKey',
      /PartitionKey.*\//,
    ],
    [
      'a key with a control character',
      () => people().get(['Smith', 'Je\u0007ff']),
      'InvalidEntityKey',
      /RowKey.*U\+0007/,
    ],
    [
      'a key that is too long',
      () => people().get(['Smith', 'x'.repeat(513)]),
      'InvalidEntityKey',
      /513/,
    ],
    ['a class without keys', () => account.table(Keyless), ModelError, /Keyless.*@PartitionKey/],
    [
      'a value of the wrong type',
      () => people().insert({ ...jeff, age: '34' as never }),
      'InvalidPropertyValue',
      /Person\.age.*string.*Int32/,
    ],
    [
      'a number that its type cannot hold',
      () => people().insert({ ...jeff, age: 2 ** 31 }),
      'InvalidPropertyValue',
      /age.*Int32.*2147483648/,
    ],
    [
      'a Guid that is none',
      () => people().insert({ ...jeff, card: 'c9da6455' }),
      'InvalidPropertyValue',
      /card.*Guid/,
    ],
    [
      'a date that is none',
      () => people().insert({ ...jeff, since: new Date(Number.NaN) }),
      'InvalidPropertyValue',
      /since.*DateTime/,
    ],
    [
      'a property that the class does not declare',
      () => people().insert({ ...jeff, hobby: 'chess' } as never),
      InputError,
      /hobby.*@Property.*@Ignore/,
    ],
    [
      'a property name with a dash',
      () => account.table('people').insert(new DynamicEntity('a', 'b', { 'first-name': 'x' })),
      'InvalidPropertyName',
      /first-name/,
    ],
    [
      'a merge with no ETag to go by',
      () => people().merge({ ...jeff, age: 3 }),
      'MissingETag',
      /'\*'/,
    ],
    [
      'a delete by key with no ETag',
      () => people().delete(['Smith', 'Jeff']),
      'MissingETag',
      /'\*'/,
    ],
    [
      'a modification without a function',
      () => people().modify(['Smith', 'Jeff'], { age: 5 } as never),
      'InvalidOptionValue',
      /modify of table people takes a function/,
    ],
    [
      'a modification that is never tried',
      () => people().modify(['Smith', 'Jeff'], () => {}, { attempts: 0 }),
      'InvalidOptionValue',
      /attempts of modify of table people.*from 1/,
    ],
    [
      'an operation that is none',
      () => people().execute({ kind: 'drop', entity: jeff } as never),
      'InvalidOptionValue',
      /execute of table people takes an operation/,
    ],
    [
      'an operation without an ETag to go by',
      () => people().execute(Operation.replace(jeff)),
      'MissingETag',
      /replace in table people has no ETag/,
    ],
    [
      'operations over two partitions',
      () =>
        people().execute([Operation.insert(jeff), Operation.insert({ ...jeff, lastName: 'Harp' })]),
      'InvalidBatch',
      /PartitionKey.*Harp/,
    ],
    [
      'a reload of what cannot be changed',
      () => people().reload(Object.freeze({ ...jeff })),
      'InvalidOptionValue',
      /reload of table people.*frozen/,
    ],
    ['an empty batch', () => people().batch().submit(), 'InvalidBatch', /empty|no change/i],
    [
      'a batch over two partitions',
      () =>
        people()
          .batch()
          .insert(jeff)
          .insert({ ...jeff, lastName: 'Harp' })
          .submit(),
      'InvalidBatch',
      /PartitionKey.*Harp/,
    ],
    [
      'a batch with one entity twice',
      () =>
        people()
          .batch()
          .insert(jeff)
          .insert({ ...jeff })
          .submit(),
      'InvalidBatch',
      /Changes 0 and 1.*same/,
    ],
    [
      'a query that reads everything',
      () => people().query().toArray(),
      'TableScan',
      /allowTableScan/,
    ],
    [
      'a value that JSON cannot hold',
      () => people().insert({ ...jeff, notes: { points: 5n } }),
      'ConversionFailed',
      /Person\.notes cannot be written: points of the value/,
    ],
    [
      'text that no entity holds',
      () => people().insert({ ...jeff, history: 'x'.repeat(600_000) }),
      'ConversionFailed',
      /Person\.history.*1 MiB/,
    ],
    ['a schema of JSON that is none', () => jsonText({} as never), 'InvalidJsonValue', /zod/],
    [
      'a query about a property that is not there',
      () =>
        people()
          .query()
          .where({ surname: 'x' } as never),
      'InvalidQuery',
      /surname.*lastName/,
    ],
    [
      'a query with an operand of the wrong type',
      () =>
        people()
          .query()
          .where({ lastName: 'Smith', age: '34' as never }),
      'InvalidPropertyValue',
      /age.*Int32/,
    ],
    [
      'a condition on an encrypted property',
      () =>
        patients()
          .query()
          .where({ lastName: 'Smith', ssn: 'x' } as never),
      'InvalidQuery',
      /Patient\.ssn.*encrypted/,
    ],
    [
      'a signed entity that is read in part',
      () => patients().get(['Smith', 'Jeff'], { select: ['ssn'] }),
      'InvalidQuery',
      /Patient.*signed/,
    ],
    [
      'a merge into a signed entity that nobody read',
      () => patients().insertOrMerge({ ...jeff, ssn: SECRET }),
      'UnsignableMerge',
      /Patient.*Read the entity/,
    ],
    [
      'an encryption key of another length',
      () => encryptionKeys({ current: 'k', keys: { k: SECRET } }),
      'InvalidKeyRing',
      /'k' must be 32 bytes/,
    ],
    [
      'a table in the clear where encryption is required',
      () => connect('memory:', { requireEncryption: true }).table(Person),
      'EncryptionRequired',
      /Person\.age.*@Encrypted/,
    ],
    [
      'a signing key that is too short',
      () => signingKeys({ current: 'k', keys: { k: SECRET } }),
      'InvalidKeyRing',
      /'k' must be 32 bytes or more/,
    ],
    [
      'a current key that is not there',
      () => encryptionKeys({ current: 'k2', keys: { k: KEY } }),
      'InvalidKeyRing',
      /current.*k/,
    ],
    [
      'a key of which a part is missing',
      () => orders().get({ customerId: 'c1' } as never),
      'InvalidKeyPart',
      /orders\.orderNo: It is undefined/,
    ],
    [
      'a part of a key that is of another type',
      () => orders().delete({ customerId: 'c1', orderNo: SECRET as never }, { etag: '*' }),
      'InvalidKeyPart',
      /orders\.orderNo.*whole number/,
    ],
    [
      'an entity that its schema refuses',
      () => orders().insert({ customerId: 'c1', orderNo: 1, total: SECRET as never }),
      SchemaError,
      /orders.*total: /,
    ],
    [
      'a condition on a part of a key without those before it',
      () => orders().query().where({ orderNo: 1 }).toArray(),
      'InvalidQuery',
      /orders\.orderNo.*customerId/,
    ],
    [
      'rows for what is no function',
      () =>
        people()
          .query()
          .where({ lastName: 'a' })
          .forEach(SECRET as never),
      'InvalidQuery',
      /forEach on Person.*function/,
    ],
    [
      'rows for a function, none at a time',
      () =>
        people()
          .query()
          .where({ lastName: 'a' })
          .forEach(() => {}, { concurrency: 0 }),
      'InvalidQuery',
      /concurrency.*got 0/,
    ],
    [
      'rows for a function, with an option that there is not',
      () =>
        people()
          .query()
          .where({ lastName: 'a' })
          .forEach(() => {}, { atOnce: 2 } as never),
      'UnknownOption',
      /no option 'atOnce'/,
    ],
    [
      'a key template with a format that is none',
      () => key`${'orderNo:eight' as 'orderNo'}`,
      'InvalidKeyTemplate',
      /orderNo:eight/,
    ],
    ['a model without a schema', () => defineEntity({ name: 'x' } as never), ModelError, /schema/],
    [
      'a union of types that nobody could tell apart',
      () => union(Person, Order),
      ModelError,
      /Person.*could be of this type and of/,
    ],
    [
      'an object that fits no type of a union',
      () => account.table('store', union(Order)).insert({ nobody: 'x' } as never),
      InputError,
      /is not an entity of orders\. It is most like orders .*customerId: .*nobody: the model does not declare it/,
    ],
    [
      'a version that does not follow the one before',
      () =>
        defineEntity({ ...plainParts, version: 3, previous: Person, migrate: () => ({ id: '' }) }),
      ModelError,
      /go up by 1/,
    ],
    [
      'a discriminator that is none',
      () => defineEntity({ ...plainParts, discriminator: 'Order' as never }),
      ModelError,
      /EntityType/,
    ],
    [
      'an upgrade by no batches at once',
      () => upgradeTable(people(), { concurrency: 0 }),
      'InvalidOptionValue',
      /concurrency/,
    ],
    ['a limit that is none', () => people().query().take(0), 'InvalidQuery', /take/],
    [
      'partitions that are no list',
      () =>
        people()
          .query()
          .inPartitions('Smith' as never),
      'InvalidQuery',
      /partitions.*array/,
    ],
    [
      'a partition that cannot be one',
      () => people().query().inPartitions(['Smith', 'a/b']),
      'InvalidEntityKey',
      /PartitionKey/,
    ],
    [
      'several queries at once of which one reads everything',
      () =>
        people()
          .query()
          .parallel({ ranges: [{ lastName: 'Smith' }, { age: 3 }] })
          .toArray(),
      'TableScan',
      /allowTableScan/,
    ],
    [
      'an order in which no rows come',
      () =>
        people()
          .query()
          .inPartitions(['Smith'], { order: 'random' as never }),
      'InvalidQuery',
      /'keys' or 'arrival'/,
    ],
    [
      'pages of several queries at once',
      () => people().query().inPartitions(['Smith']).byPage().next(),
      'InvalidQuery',
      /byPage.*inPartitions.*continuation token/,
    ],
    [
      'a resolver that is none',
      () =>
        people()
          .query()
          .resolve('name' as never),
      'InvalidQuery',
      /resolver.*function/,
    ],
    [
      'a read with a resolver that is none',
      () => people().get(['Smith', 'Jeff'], { resolve: {} as never }),
      'InvalidOptionValue',
      /resolve of get.*function/,
    ],
    [
      'a prefetch that is neither on nor off',
      () =>
        people()
          .query()
          .prefetch(2 as never),
      'InvalidQuery',
      /prefetch/,
    ],
    [
      'many keys of which one is none',
      () => people().getMany([['Smith', 'Jeff'], ['Smith'] as never]),
      'InvalidEntityKey',
      /No entity is named/,
    ],
    [
      'no list of keys',
      () => people().getMany(undefined as never),
      'InvalidEntityKey',
      /list of keys/,
    ],
    [
      'a rule for scans that is none',
      () => account.table(Person, { scans: 'all' as never }),
      'InvalidQuery',
      /partitionScan.*"all"/,
    ],
    [
      'a query for one of no values',
      () =>
        people()
          .query()
          .where({ lastName: anyOf([]) }),
      'InvalidQuery',
      /lastName.*one of no values/,
    ],
    [
      'a list that is a text',
      () =>
        people()
          .query()
          .where({ lastName: anyOf('Smith' as never) }),
      'InvalidQuery',
      /array/,
    ],
    [
      'a filter of glued text',
      () => filter(`lastName eq '${SECRET}'` as never),
      FilterSyntaxError,
      /tag/,
    ],
    [
      'a filter with an operand within quotes',
      () => filter`lastName eq '${SECRET}'`,
      FilterSyntaxError,
      /position 12.*not closed/,
    ],
    [
      'a raw filter that would close a parenthesis of others',
      () => rawFilter('age eq 1) or (true'),
      FilterSyntaxError,
      /position 8.*parenthesis/,
    ],
    [
      'a filter of rows that gives no answer',
      () =>
        people()
          .query()
          .filterLocally('age' as never),
      'InvalidQuery',
      /condition on Person/,
    ],
    [
      'a test of rows by what was not read',
      () => people().query().select('age').filterLocally({ card: SECRET }),
      'InvalidPropertyValue',
      /card.*Guid/,
    ],
  ])('%s', async (_what, act, kind, message) => {
    const error = await Promise.resolve()
      .then(act)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(error).toBeInstanceOf(typeof kind === 'string' ? InputError : kind)
    if (typeof kind === 'string') expect(error).toMatchObject({ code: kind })
    expect((error as Error).message).toMatch(message)
    expect(inspect(error)).not.toContain(SECRET)
    expect(sent).toEqual([])
  })
})

describe('what only the service can know', () => {
  it('a wrong key is an AuthenticationError that names the account, and shows neither key', async () => {
    const local = localTableService()
    const wrong = connect(
      `AccountName=devstoreaccount1;AccountKey=${SECRET};TableEndpoint=http://127.0.0.1:10002/devstoreaccount1`,
      { transport: local.transport },
    )
    const error = await wrong.createTable('people').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AuthenticationError)
    expect((error as Error).message).toMatch(/devstoreaccount1.*key/)
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(
      new RegExp(`${SECRET}|SharedKeyLite [a-z0-9]+:`),
    )
    await wrong.close()
  })

  it('a host that is not there is a ConnectionError that names it', async () => {
    const nowhere = connect(`AccountName=contoso;AccountKey=${SECRET};EndpointSuffix=invalid`, {
      sleep: async () => undefined,
    })
    const error = await nowhere.createTable('people').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ConnectionFailed' })
    expect((error as Error).message).toMatch(/contoso\.table\.invalid/)
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET)
    await nowhere.close()
  })

  it('credentials are refused before there is a service', () => {
    expect(() =>
      connect({ endpoint: 'https://contoso.table.core.windows.net', credential: {} as never }),
    ).toThrow(/credential/)
  })
})

import { inspect } from 'node:util'
import { localTableService } from '@rowkey/local'
import type { AttemptResult } from '@rowkey/rest'
import {
  type Account,
  AuthenticationError,
  anyOf,
  connect,
  DynamicEntity,
  defineEntity,
  Entity,
  FilterSyntaxError,
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
  SchemaError,
  Text,
  union,
  upgradeTable,
} from 'rowkey'
import { Encrypted, encryptionKeys, type Secret, signingKeys } from 'rowkey/encryption'
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

describe('bad input throws a specific error before anything is sent', () => {
  it.each<[string, () => unknown, ErrorKind, RegExp]>([
    [
      'a malformed connection string',
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
    [
      'a bulk writer with an unknown option',
      () => people().bulk({ parallel: 4 } as never),
      'UnknownOption',
      /bulk of table people.*parallel/,
    ],
    [
      'a bulk writer without concurrency',
      () => people().bulk({ concurrency: 0 }),
      'InvalidOptionValue',
      /concurrency of bulk of table people.*from 1/,
    ],
    [
      'a bulk writer with an unknown conflict policy',
      () => people().bulk({ onConflict: 'overwrite' as never }),
      'InvalidOptionValue',
      /onConflict.*'fail', 'skip' or 'modify'; got "overwrite"/,
    ],
    [
      'a bulk writer with an unknown policy for missing rows',
      () => people().bulk({ onMissing: 'insert' as never }),
      'InvalidOptionValue',
      /onMissing of bulk of table people.*'fail' or 'skip'/,
    ],
    [
      'a deletion that says what a missing row means',
      () =>
        people()
          .query()
          .where({ lastName: 'Smith' })
          .deleteAll({ onMissing: 'fail' } as never)
          .summary(),
      'UnknownOption',
      /deleteAll of table people.*onMissing/,
    ],
    [
      'a bulk writer that modifies without a function',
      () => people().bulk({ onConflict: 'modify' }),
      'InvalidOptionValue',
      /'modify' together with the option modify/,
    ],
    [
      'a bulk writer with a listener that is not a function',
      () => people().bulk({ onProgress: true as never }),
      'InvalidOptionValue',
      /onProgress.*function/,
    ],
    [
      'a bulk writer with one idempotency key for all of its transactions',
      () => people().bulk({ idempotencyKey: 'import-1' } as never),
      'UnknownOption',
      /bulk of table people.*idempotencyKey/,
    ],
    [
      'a bulk writer with the path of a journal',
      () =>
        people()
          .bulk({ journal: './import.journal' as never })
          .insert([])
          .summary(),
      'InvalidOptionValue',
      /journal of bulk of table people.*read and append.*'a\+'/,
    ],
    [
      'a buffered writer with an unknown option',
      () => people().buffered({ maxCount: 5 } as never),
      'UnknownOption',
      /buffered of table people.*maxCount/,
    ],
    [
      'a buffered writer that never writes by age',
      () => people().buffered({ maxAge: 0 }),
      'InvalidOptionValue',
      /maxAge of buffered of table people.*from 1/,
    ],
    [
      'an operation for a closed buffered writer',
      async () => {
        const log = people().buffered()
        await log.close()
        await log.insert(jeff)
      },
      'WriterClosed',
      /insert of a buffered writer of table people.*closed/,
    ],
    [
      'a text for a buffered writer',
      () =>
        people()
          .buffered()
          .insert('Jeff' as never),
      'InvalidEntity',
      /insert of table people/,
    ],
    [
      'a bulk write of a number',
      () =>
        people()
          .bulk()
          .insert(5 as never),
      'InvalidOptionValue',
      /insert of a bulk writer.*array, a generator or a stream/,
    ],
    [
      'a bulk write of a text',
      () =>
        people()
          .bulk()
          .delete('Smith' as never),
      'InvalidOptionValue',
      /array, a generator or a stream/,
    ],
    [
      'a bulk merge with an unknown option',
      () =>
        people()
          .bulk()
          .merge([], { eTag: '*' } as never),
      'UnknownOption',
      /merge of a bulk writer.*eTag/,
    ],
    [
      'a bulk write of texts',
      async () => {
        const summary = await people()
          .bulk()
          .insert(['Smith'] as never)
          .summary()
        throw summary.failures[0]?.error
      },
      'InvalidEntity',
      /insert of a bulk writer.*string/,
    ],
    [
      'a bulk write of reads',
      async () => {
        const reads = [Operation.retrieve('Smith', 'Jeff')] as never
        const summary = await people().bulk().execute(reads).summary()
        throw summary.failures[0]?.error
      },
      'InvalidOptionValue',
      /bulk of table people.*retrieve.*getMany/,
    ],
    [
      'a deleteAll with an unknown option',
      () =>
        people()
          .query()
          .deleteAll({ eTag: '*' } as never),
      'UnknownOption',
      /deleteAll of table people.*eTag/,
    ],
    [
      'a deleteAll with one ETag for all rows',
      () => people().deletePartition('Smith', { etag: 'W/"1"' as never }),
      'InvalidOptionValue',
      /etag of deleteAll.*'\*'/,
    ],
    [
      'a partition key that is not a text',
      () => people().deletePartition(5 as never),
      'InvalidPropertyValue',
      /partitionKey|PartitionKey/,
    ],
    [
      'a copy to the name of a table',
      () => people().copyTo('archive' as never),
      'InvalidOptionValue',
      /copyTo.*takes a table/,
    ],
    [
      'a copy of a table to itself',
      () => people().copyTo(account.table('PEOPLE')),
      'InvalidOptionValue',
      /another table.*itself/,
    ],
    [
      'a copy with an unknown mode',
      () => people().copyTo(account.table('archive'), { mode: 'merge' as never }),
      'InvalidOptionValue',
      /mode of copyTo.*'insertOrMerge'/,
    ],
    [
      'a copy that modifies conflicts',
      () => people().copyTo(account.table('archive'), { onConflict: 'modify' as never }),
      'InvalidOptionValue',
      /onConflict of copyTo.*'fail' or 'skip'/,
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
      'an invalid Guid',
      () => people().insert({ ...jeff, card: 'c9da6455' }),
      'InvalidPropertyValue',
      /card.*Guid/,
    ],
    [
      'an invalid date',
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
      'an ETag that the service would take for *',
      () => people().delete(['Smith', 'Jeff'], { etag: ' *' }),
      'InvalidETag',
      /deleteEntity in table people needs an ETag. Pass the ETag that the entity was read with/,
    ],
    ['a merge without an ETag', () => people().merge({ ...jeff, age: 3 }), 'MissingETag', /'\*'/],
    [
      'a delete by key without an ETag',
      () => people().delete(['Smith', 'Jeff']),
      'MissingETag',
      /'\*'/,
    ],
    [
      'modify without a function',
      () => people().modify(['Smith', 'Jeff'], { age: 5 } as never),
      'InvalidOptionValue',
      /modify of table people needs a function/,
    ],
    [
      'modify with 0 attempts',
      () => people().modify(['Smith', 'Jeff'], () => {}, { attempts: 0 }),
      'InvalidOptionValue',
      /attempts of modify of table people.*from 1/,
    ],
    [
      'an unknown operation',
      () => people().execute({ kind: 'drop', entity: jeff } as never),
      'InvalidOptionValue',
      /execute of table people needs an operation/,
    ],
    [
      'an operation without an ETag',
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
      'a reload into a frozen object',
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
    ['a table scan', () => people().query().toArray(), 'TableScan', /allowTableScan/],
    [
      'a value that JSON cannot represent',
      () => people().insert({ ...jeff, notes: { points: 5n } }),
      'ConversionFailed',
      /Person\.notes cannot be written: points of the value/,
    ],
    [
      'text that is too long for an entity',
      () => people().insert({ ...jeff, history: 'x'.repeat(600_000) }),
      'ConversionFailed',
      /Person\.history.*1 MiB/,
    ],
    ['an invalid schema for jsonText', () => jsonText({} as never), 'InvalidJsonValue', /zod/],
    [
      'a query with an unknown property',
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
      'a projection of null',
      () => people().get(['Smith', 'Jeff'], { select: null as never }),
      'InvalidOptionValue',
      /select of get of table people must be an array; got null/,
    ],
    [
      'a projection that is not an array',
      () => people().find(['Smith', 'Jeff'], { select: 'age' as never }),
      'InvalidOptionValue',
      /select of find of table people must be an array; got a text/,
    ],
    [
      'a signed entity that is read in part',
      () => patients().get(['Smith', 'Jeff'], { select: ['ssn'] }),
      'InvalidQuery',
      /Patient.*signed/,
    ],
    [
      'a merge into a signed entity that was not read',
      () => patients().insertOrMerge({ ...jeff, ssn: SECRET }),
      'UnsignableMerge',
      /Patient.*Read the entity/,
    ],
    [
      'an encryption key of another length',
      () => encryptionKeys({ current: 'k', keys: { k: SECRET } }),
      'InvalidKeyRing',
      /'k' of encryptionKeys must be 32 bytes/,
    ],
    [
      'a table without encryption where it is required',
      () => connect('memory:', { requireEncryption: true }).table(Person),
      'EncryptionRequired',
      /Person\.age.*@Encrypted/,
    ],
    [
      'a signing key that is too short',
      () => signingKeys({ current: 'k', keys: { k: SECRET } }),
      'InvalidKeyRing',
      /'k' of signingKeys must be 32 bytes or more/,
    ],
    [
      'a missing current key',
      () => encryptionKeys({ current: 'k2', keys: { k: KEY } }),
      'InvalidKeyRing',
      /current.*k/,
    ],
    [
      'a key with a missing part',
      () => orders().get({ customerId: 'c1' } as never),
      'InvalidKeyPart',
      /orders\.orderNo: It is undefined/,
    ],
    [
      'a key part of the wrong type',
      () => orders().delete({ customerId: 'c1', orderNo: SECRET as never }, { etag: '*' }),
      'InvalidKeyPart',
      /orders\.orderNo.*whole number/,
    ],
    [
      'an entity that does not match its schema',
      () => orders().insert({ customerId: 'c1', orderNo: 1, total: SECRET as never }),
      SchemaError,
      /orders.*total: /,
    ],
    [
      'a condition on a key part without the parts before it',
      () => orders().query().where({ orderNo: 1 }).toArray(),
      'InvalidQuery',
      /orders\.orderNo.*customerId/,
    ],
    [
      'forEach without a function',
      () =>
        people()
          .query()
          .where({ lastName: 'a' })
          .forEach(SECRET as never),
      'InvalidQuery',
      /forEach on Person.*function/,
    ],
    [
      'forEach with a concurrency of 0',
      () =>
        people()
          .query()
          .where({ lastName: 'a' })
          .forEach(() => {}, { concurrency: 0 }),
      'InvalidQuery',
      /concurrency.*got 0/,
    ],
    [
      'forEach with an unknown option',
      () =>
        people()
          .query()
          .where({ lastName: 'a' })
          .forEach(() => {}, { atOnce: 2 } as never),
      'UnknownOption',
      /no option 'atOnce'/,
    ],
    [
      'a key template with an unknown format',
      () => key`${'orderNo:eight' as 'orderNo'}`,
      'InvalidKeyTemplate',
      /orderNo:eight/,
    ],
    ['a model without a schema', () => defineEntity({ name: 'x' } as never), ModelError, /schema/],
    [
      'a union of types that overlap',
      () => union(Person, Order),
      ModelError,
      /Person.*could have this type and/,
    ],
    [
      'an object that fits no type of a union',
      () => account.table('store', union(Order)).insert({ unknown: 'x' } as never),
      InputError,
      /is not an entity of orders\. It is most like orders .*customerId: .*unknown: the model does not declare it/,
    ],
    [
      'a version that does not follow the previous one',
      () =>
        defineEntity({ ...plainParts, version: 3, previous: Person, migrate: () => ({ id: '' }) }),
      ModelError,
      /increase by 1/,
    ],
    [
      'an invalid discriminator',
      () => defineEntity({ ...plainParts, discriminator: 'Order' as never }),
      ModelError,
      /EntityType/,
    ],
    [
      'an upgrade with a concurrency of 0',
      () => upgradeTable(people(), { concurrency: 0 }),
      'InvalidOptionValue',
      /concurrency/,
    ],
    ['an invalid limit', () => people().query().take(0), 'InvalidQuery', /take/],
    [
      'partitions that are not a list',
      () =>
        people()
          .query()
          .inPartitions('Smith' as never),
      'InvalidQuery',
      /partitions.*array/,
    ],
    [
      'an invalid partition',
      () => people().query().inPartitions(['Smith', 'a/b']),
      'InvalidEntityKey',
      /PartitionKey/,
    ],
    [
      'parallel queries with a table scan',
      () =>
        people()
          .query()
          .parallel({ ranges: [{ lastName: 'Smith' }, { age: 3 }] })
          .toArray(),
      'TableScan',
      /allowTableScan/,
    ],
    [
      'an unknown order',
      () =>
        people()
          .query()
          .inPartitions(['Smith'], { order: 'random' as never }),
      'InvalidQuery',
      /'keys', 'rowKeys' or 'arrival'/,
    ],
    [
      'pages of parallel queries',
      () => people().query().inPartitions(['Smith']).byPage().next(),
      'InvalidQuery',
      /byPage.*inPartitions.*continuation token/,
    ],
    [
      'an invalid resolver',
      () =>
        people()
          .query()
          .resolve('name' as never),
      'InvalidQuery',
      /resolver.*function/,
    ],
    [
      'a read with an invalid resolver',
      () => people().get(['Smith', 'Jeff'], { resolve: {} as never }),
      'InvalidOptionValue',
      /resolve of get.*function/,
    ],
    [
      'an invalid prefetch',
      () =>
        people()
          .query()
          .prefetch(2 as never),
      'InvalidQuery',
      /prefetch/,
    ],
    [
      'a list of keys with an invalid key',
      () => people().getMany([['Smith', 'Jeff'], ['Smith'] as never]),
      'InvalidEntityKey',
      /A target must name one entity/,
    ],
    [
      'keys that are not a list',
      () => people().getMany(undefined as never),
      'InvalidEntityKey',
      /list of keys/,
    ],
    [
      'an invalid rule for scans',
      () => account.table(Person, { scans: 'all' as never }),
      'InvalidOptionValue',
      /partitionScan.*"all"/,
    ],
    [
      'anyOf with text',
      () =>
        people()
          .query()
          .where({ lastName: anyOf('Smith' as never) }),
      'InvalidQuery',
      /array/,
    ],
    [
      'filter called with text',
      () => filter(`lastName eq '${SECRET}'` as never),
      FilterSyntaxError,
      /tag/,
    ],
    [
      'a filter with an operand within quotes',
      () => filter`lastName eq '${SECRET}'`,
      FilterSyntaxError,
      /position 12.*without the quotes around it/,
    ],
    [
      'a raw filter that would close a parenthesis of others',
      () => rawFilter('age eq 1) or (true'),
      FilterSyntaxError,
      /position 8.*parenthesis/,
    ],
    [
      'a row filter that returns nothing',
      () =>
        people()
          .query()
          .filterLocally('age' as never),
      'InvalidQuery',
      /condition on Person/,
    ],
    [
      'a row filter on a property that was not read',
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

describe('after a request', () => {
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

  it('an unknown host is a ConnectionFailed error that names the host', async () => {
    const nowhere = connect(`AccountName=contoso;AccountKey=${SECRET};EndpointSuffix=invalid`, {
      sleep: async () => undefined,
    })
    const error = await nowhere.createTable('people').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ConnectionFailed' })
    expect((error as Error).message).toMatch(/contoso\.table\.invalid/)
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET)
    await nowhere.close()
  })

  it('tableService rejects an invalid credential', () => {
    expect(() =>
      connect({ endpoint: 'https://contoso.table.core.windows.net', credential: {} as never }),
    ).toThrow(/credential/)
  })
})

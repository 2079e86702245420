import {
  Account,
  Encrypted,
  Entity,
  encryptionKeys,
  ModelError,
  modelOf,
  PartitionKey,
  Plain,
  RowKey,
  union,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import type { Secret } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { DynamicCodec } from '../../../packages/mapper/src/codec/dynamic-codec.ts'
import {
  checkEncrypted,
  dynamicParts,
  modelParts,
} from '../../../packages/mapper/src/rows/table-parts.ts'
import { invalidName } from '../../support/rejections.ts'
import { Customer } from '../customer.ts'
import { freshAccount } from '../fresh-account.ts'

class Nameless {
  @PartitionKey() partition = 'p'
  @RowKey() row = 'r'
}

const { service } = freshAccount()

it('a table has the name of its model, unless the caller passes another', () => {
  expect(modelParts(service, modelOf(Customer), {}).name).toBe('customers')
  const parts = modelParts(service, modelOf(Customer), { name: 'archive', scans: 'none' })
  expect(parts).toMatchObject({ name: 'archive', scans: 'none' })
})

it('a model without a name needs one', () => {
  expect(() => modelParts(service, modelOf(Nameless), {})).toThrow(ModelError)
})

it('a table without a declared class stores any properties', () => {
  const parts = dynamicParts(service, 'people', { scans: 'tableScan' })
  expect(parts).toMatchObject({ name: 'people', scans: 'tableScan' })
  expect(parts.types.ofKey({}).codec).toBeInstanceOf(DynamicCodec)
  expect(parts.queryModel.column('anything')?.name).toBe('anything')
})

it('rejects a name that the service does not accept', () => {
  expect(() => dynamicParts(service, 'a-b', {})).toThrow(
    expect.objectContaining({ code: 'InvalidTableName' }),
  )
  expect(() => modelParts(service, modelOf(Customer), { name: '1st' })).toThrow(
    expect.objectContaining({ code: 'InvalidTableName' }),
  )
})

it('the check of property names can be left to the service', () => {
  const { service } = freshAccount()
  const left = {
    ...service,
    endpoint: { ...service.endpoint, unchecked: ['propertyNames'] as const },
  }
  const dashed = new DynamicEntity('a', 'b', { 'first-name': 'Jeff' })
  const { codec } = dynamicParts(left, 'people', {}).types.ofKey({})
  expect(codec.write(dashed, undefined).row.text).toContain('"first-name":"Jeff"')
  const checked = dynamicParts(service, 'people', {}).types.ofKey({}).codec
  expect(() => checked.write(dashed, undefined)).toThrow(invalidName)
})

it('the origin of a table is its account and its name, in lower case except on Cosmos', () => {
  const { accountId: account } = service
  const origin = { account, table: 'people' }
  expect(dynamicParts(service, 'People', {}).origin).toEqual(origin)
  expect(modelParts(service, modelOf(Customer), { name: 'PEOPLE' }).origin).toEqual(origin)
  const cosmos = { ...service, endpoint: { ...service.endpoint, flavour: 'cosmos' as const } }
  expect(dynamicParts(cosmos, 'People', {}).origin).toEqual({ account, table: 'People' })
  expect(dynamicParts(freshAccount().service, 'people', {}).origin).not.toEqual(origin)
})

const ring = { current: 'k', keys: { k: Buffer.alloc(32, 1) } }
const keys = encryptionKeys(ring)
const migrating = encryptionKeys({ ...ring, plaintext: 'read' })

class Keyed {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
}

@Entity('patients')
class Patient extends Keyed {
  @Encrypted(keys) ssn?: Secret<string>
  @Plain() ward?: string
}

class Open extends Keyed {
  note = ''
}

class Migrating extends Keyed {
  @Encrypted(migrating) ssn?: Secret<string>
}

describe('checkEncrypted', () => {
  it('accepts a class whose properties are encrypted, a key, or explicitly plain', () => {
    expect(() => checkEncrypted(modelOf(Patient))).not.toThrow()
    expect(() => checkEncrypted(modelOf(Keyed))).not.toThrow()
  })

  it.each([
    [Open, 'note', /^Open\.note: It is stored unencrypted.*@Plain/],
    [Migrating, 'ssn', /^Migrating\.ssn: .*plaintext: 'read'/],
  ])('rejects %o', (entityClass, property, message) => {
    const model = modelOf(entityClass as typeof Keyed)
    const check = () => checkEncrypted(model)
    expect(check).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'EncryptionRequired' }),
    )
    expect(check).toThrow(message)
    expect(check).toThrow(
      expect.objectContaining({ details: { property: `${model.title}.${property}` } }),
    )
  })
})

describe('an account that requires encryption', () => {
  it('opens only tables of encrypted entities', async () => {
    const { service, sent } = freshAccount()
    const account = new Account(service, { requireEncryption: true })
    expect(() => account.table(Open, 'patients')).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'EncryptionRequired' }),
    )
    expect(() => account.table('patients')).toThrow(/patients without a declared class/)
    expect(sent).toEqual([])
    const patients = account.table(Patient)
    await patients.create()
    await patients.insert({ clinic: 'Seattle', id: '1', ssn: '1', ward: 'B' })
    expect((await patients.get(['Seattle', '1'])).ssn).toBe('1')
  })

  it('requires it by an inherited option, too', () => {
    const options: object = Object.create({ requireEncryption: true })
    const account = new Account(freshAccount().service, options)
    expect(() => account.table(Open, 'patients')).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'EncryptionRequired' }),
    )
  })

  it('checks every type of a union, and rows of other types', () => {
    const account = new Account(freshAccount().service, { requireEncryption: true })
    expect(() => account.table('patients', union(Patient))).not.toThrow()
    expect(() => account.table('patients', union(Open))).toThrow(/^Open\.note/)
    const any = union(Patient, { unknown: 'dynamic' })
    expect(() => account.table('patients', any)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'EncryptionRequired' }),
    )
  })

  it('cannot be overridden by a table, and must be a boolean', () => {
    const { service } = freshAccount()
    const account = new Account(service, { requireEncryption: true, scans: 'none' })
    const free = { requireEncryption: false } as object
    expect(() => account.table(Patient, free)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(() => account.table(Open, { name: 'patients', scans: 'tableScan' })).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'EncryptionRequired' }),
    )
    expect(() => new Account(service, { requireEncryption: 'yes' as never })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })
})

import {
  type Account,
  defineEntity,
  Encrypted,
  type EncryptionKeys,
  Entity,
  encrypted,
  encryptionKeys,
  key,
  PartitionKey,
  Property,
  RowKey,
  type SigningKeys,
  StoreAs,
  signingKeys,
} from '@rowkey/mapper'
import type { Secret } from '@rowkey/query'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

declare const keys: EncryptionKeys
declare const signing: SigningKeys
declare const account: Account

@Entity({ name: 'patients', signing })
class Patient {
  @PartitionKey() clinic!: string
  @RowKey() id!: string
  @Encrypted(keys) name!: Secret<string>
  @Encrypted(keys) @StoreAs('b') born?: Secret<Date> | null
  @Encrypted(keys) @Property('Int64') visits?: Secret<bigint>
  @Encrypted(keys) @Property('Double') accessor weight: Secret<number> = 1
  @Encrypted(keys) insured?: Secret<boolean>
  @Encrypted(keys) whole?: Secret<{ converted: string[] }>
  @Encrypted(keys) get initials(): Secret<string> {
    return this.name
  }
  @Encrypted(keys) set scan(value: Secret<Uint8Array>) {
    this.weight = value.length
  }
}

class Refused {
  // @ts-expect-error a filter on it would compile: declare it as Secret<string>
  @Encrypted(keys) text = ''
  // @ts-expect-error the same, where it may be absent
  @Encrypted(keys) absent?: Date
  // @ts-expect-error the same, on an accessor
  @Encrypted(keys) accessor size = 1
  // @ts-expect-error the same, on a getter
  @Encrypted(keys) get half(): number {
    return this.size / 2
  }
  // @ts-expect-error it needs the keys of encryption
  @Encrypted(signing) wrongKeys: Secret<string> = ''
  // @ts-expect-error it needs keys
  @Encrypted() noKeys: Secret<string> = ''
  // @ts-expect-error the text is not a Double
  @Encrypted(keys) @Property('Double') wrongType: Secret<string> = ''
}

const patients = account.table(Patient)

describe('a class with encrypted members', () => {
  it('is used like a class without encryption', () => {
    const patient = new Patient()
    patient.name = 'Jeff'
    patient.visits = 3n
    void patients.insert(Object.assign(patient, { clinic: 'Seattle', id: '1' }))
    expectTypeOf(patient.name.length).toEqualTypeOf<number>()
    expectTypeOf(Refused).toBeConstructibleWith()
  })

  it('can be queried by its plain properties', () => {
    patients
      .query()
      .where({ clinic: 'Seattle' })
      .where((patient) => patient.id.ge('1'))
  })

  it('rejects encrypted properties in conditions', () => {
    // @ts-expect-error an encrypted property cannot be compared
    patients.query().where({ clinic: 'Seattle', name: 'Jeff' })
    // @ts-expect-error nor in a callback
    patients.query().where((patient) => patient.visits.gt(3n))
    // @ts-expect-error nor stand alone
    patients.query().where((patient) => patient.insured)
  })

  it('can be read in part', () => {
    patients.query().select('name', 'visits')
    void patients.get(['Seattle', '1'], { select: ['born'] })
  })
})

describe('rings of keys', () => {
  it('accept bytes and base64, and no unknown options', () => {
    expectTypeOf(
      encryptionKeys({
        current: 'a',
        keys: { a: new Uint8Array(32), b: 'base64' },
        plaintext: 'read',
      }),
    ).toEqualTypeOf<EncryptionKeys>()
    expectTypeOf(
      signingKeys({ current: 'a', keys: { a: 'base64' }, property: 'sig', unsigned: 'reject' }),
    ).toEqualTypeOf<SigningKeys>()
    // @ts-expect-error no current key
    encryptionKeys({ keys: { a: 'base64' } })
    // @ts-expect-error a key is not a number
    encryptionKeys({ current: 'a', keys: { a: 5 } })
    // @ts-expect-error unknown word
    signingKeys({ current: 'a', keys: { a: 'base64' }, unsigned: 'ignore' })
    // @ts-expect-error rings are not to be mixed up
    expectTypeOf(signing).toEqualTypeOf<EncryptionKeys>()
  })

  it('are the keys of a signed class', () => {
    // @ts-expect-error these encrypt
    Entity({ name: 'orders', signing: keys })
  })
})

describe('encrypted, in defineEntity', () => {
  const Visit = defineEntity({
    name: 'visits',
    partitionKey: key`${'clinic'}`,
    rowKey: key`${'id'}`,
    schema: z.object({
      clinic: z.string(),
      id: z.string(),
      reason: z.string().optional(),
      doctor: z.string().nullable(),
      ward: z.string(),
    }),
    columns: { reason: encrypted(keys), doctor: encrypted(keys) },
    signing,
  })
  const visits = account.table(Visit)

  it('makes only encrypted properties secrets', async () => {
    const visit = await visits.get({ clinic: 'Seattle', id: '1' })
    expectTypeOf(visit.reason).toEqualTypeOf<Secret<string> | undefined>()
    expectTypeOf(visit.doctor).toEqualTypeOf<Secret<string> | null>()
    expectTypeOf(visit.ward).toEqualTypeOf<string>()
    void visits.insert({ clinic: 'Seattle', id: '1', reason: 'x', doctor: null, ward: 'B' })
  })

  it('rejects encrypted properties in conditions', () => {
    visits.query().where({ clinic: 'Seattle', ward: 'B' })
    // @ts-expect-error it is encrypted
    visits.query().where({ clinic: 'Seattle', reason: 'x' })
    // @ts-expect-error it is encrypted, though it may be null
    visits.query().where((visit) => visit.doctor.eq('x'))
  })

  it('accepts rules only for properties of the schema', () => {
    const parts = {
      name: 'visits',
      partitionKey: key`${'clinic'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ clinic: z.string(), id: z.string() }),
    }
    // @ts-expect-error the schema has no property of this name
    defineEntity({ ...parts, columns: { clinic: encrypted(keys), reasn: encrypted(keys) } })
    // @ts-expect-error these keys sign
    defineEntity({ ...parts, columns: { clinic: encrypted(signing) } })
  })
})

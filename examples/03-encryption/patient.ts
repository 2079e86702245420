import { Entity, PartitionKey, Property, RowKey } from 'rowkey'
import { Encrypted, Plain, type Secret } from 'rowkey/encryption'
import { keys, oldKeys, signing } from './keys.ts'

/** A patient in last year's program. */
@Entity({ signing })
export class OldPatient {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
  @Encrypted(oldKeys) name?: Secret<string>
  @Encrypted(oldKeys) @Property('Double') weight?: Secret<number>
  @Plain() ward?: string // not encrypted, so that queries can use it
}

/** The same patient, with this year's keys. */
@Entity({ signing })
export class Patient {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
  @Encrypted(keys) name?: Secret<string>
  @Encrypted(keys) @Property('Double') weight?: Secret<number>
  @Plain() ward?: string
}

/** Makes a patient of either year. */
export function patient<Kind extends OldPatient>(kind: Kind, id: string, name: string): Kind {
  return Object.assign(kind, { clinic: 'Seattle', id, name, weight: 80, ward: 'B' })
}

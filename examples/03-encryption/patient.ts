import { Encrypted, Entity, PartitionKey, Plain, Property, RowKey, type Secret } from 'rowkey'
import { keys, oldKeys, signing } from './keys.ts'

/** A patient as last year's program stored them. */
@Entity({ signing })
export class OldPatient {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
  @Encrypted(oldKeys) name?: Secret<string>
  @Encrypted(oldKeys) @Property('Double') weight?: Secret<number>
  @Plain() ward?: string // in the clear, so that queries can ask about it
}

/** The same patient, with the keys of this year. */
@Entity({ signing })
export class Patient {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
  @Encrypted(keys) name?: Secret<string>
  @Encrypted(keys) @Property('Double') weight?: Secret<number>
  @Plain() ward?: string
}

/** A patient, of either year. */
export function patient<Kind extends OldPatient>(kind: Kind, id: string, name: string): Kind {
  return Object.assign(kind, { clinic: 'Seattle', id, name, weight: 80, ward: 'B' })
}

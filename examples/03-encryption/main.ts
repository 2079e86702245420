/**
 * Rows that only this program can read, and that others cannot change unnoticed.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/03-encryption/main.ts
 */
import { connect, DecodeError, type EntityProperty } from 'rowkey'
import { OldPatient, Patient, patient } from './patient.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const name = `patients${Date.now()}`
const old = account.table(OldPatient, name)
await old.create()
await old.insert(patient(new OldPatient(), '1', 'Jeff Price'))
await old.insert(patient(new OldPatient(), '2', 'Anna Lidman'))

// Any reader of the table sees this.
const rows = account.table(name)
const seen = await rows.get(['Seattle', '1'])
const stored = seen.get('name')?.value as Uint8Array
console.log(`stored ward: ${seen.get('ward')?.value}, stored name: ${stored.length} bytes`)
console.log(`encrypted with the key ${String.fromCharCode(...stored.slice(3, 7))}`)

// This year's program reads values of last year's key, and encrypts them with this year's key.
const patients = account.table(Patient, name)
for await (const each of patients.query().where({ clinic: 'Seattle' })) {
  console.log(`${each.name}, ${each.weight} kg`)
  await patients.replace(each)
}
try {
  await old.get(['Seattle', '1'])
} catch (error) {
  if (!(error instanceof DecodeError) || error.code !== 'DecryptionFailed') throw error
  console.log(`last year's program lacks the key ${error.details.keyId}`)
}

// An attacker has access to the table, but not to the keys.
const jeff = await rows.get(['Seattle', '1'])
const anna = await rows.get(['Seattle', '2'])
await rows.merge(anna.set('name', jeff.get('name') as EntityProperty))
await rows.merge(jeff.set('ward', 'C'))
for (const id of ['1', '2']) {
  await patients.get(['Seattle', id]).catch((error: unknown) => {
    if (!(error instanceof DecodeError) || error.code !== 'SignatureInvalid') throw error
    console.log(`patient ${id}: ${error.details.reason}`)
  })
}

await rows.drop()
await account.close()

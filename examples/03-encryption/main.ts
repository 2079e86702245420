/**
 * Rows that only the program can read, and that nobody can change behind its back.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/03-encryption/main.ts
 */
import { connect, DecryptionError, type EntityProperty, SignatureError } from 'rowkey'
import { OldPatient, Patient, patient } from './patient.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A name of its own, so that no table of yours is touched.
const name = `patients${Date.now()}`
const old = account.table(OldPatient, name)
await old.create()
await old.insert(patient(new OldPatient(), '1', 'Jeff Price'))
await old.insert(patient(new OldPatient(), '2', 'Anna Lidman'))

// What everybody sees who can read the table.
const rows = account.table(name)
const seen = await rows.get(['Seattle', '1'])
const stored = seen.get('name')?.value as Uint8Array
console.log(`the ward: ${seen.get('ward')?.value}, the name: ${stored.length} bytes`)
console.log(`the key that opens them: ${String.fromCharCode(...stored.slice(3, 7))}`)

// This year's program reads what last year's key encrypted, and rotates it.
const patients = account.table(Patient, name)
for await (const each of patients.query().where({ clinic: 'Seattle' })) {
  console.log(`${each.name}, ${each.weight} kg`)
  await patients.replace(each)
}
try {
  await old.get(['Seattle', '1'])
} catch (error) {
  if (!(error instanceof DecryptionError)) throw error
  console.log(`last year's program lacks the key ${error.keyId}`)
}

// Somebody with access to the table, and without the keys.
const jeff = await rows.get(['Seattle', '1'])
const anna = await rows.get(['Seattle', '2'])
await rows.merge(anna.set('name', jeff.get('name') as EntityProperty))
await rows.merge(jeff.set('ward', 'C'))
for (const id of ['1', '2']) {
  await patients.get(['Seattle', id]).catch((error: unknown) => {
    if (!(error instanceof SignatureError)) throw error
    console.log(`patient ${id} was ${error.reason}`)
  })
}

await rows.drop()
await account.close()

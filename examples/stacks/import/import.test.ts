import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startLocalService } from '@rowkey/local'
import { connect } from 'rowkey'
import { Reading } from './reading.ts'

const SENSORS = 20
const ROWS = 50_000
const program = fileURLToPath(new URL('main.js', import.meta.url))

test('an import of 50,000 rows that is killed goes on where it was', async () => {
  const service = await startLocalService({ port: 0 })
  const line = (n: number) => `sensor-${n % SENSORS},${Math.floor(n / SENSORS)},${20 + (n % 7)}.5`
  const csv = `readings-${process.pid}.csv`
  await writeFile(csv, Array.from({ length: ROWS }, (_, n) => line(n)).join('\n'))
  const start = () => {
    const env = { ...process.env, TABLES: service.connectionString }
    return fork(program, [csv, `${csv}.journal`], { env, stdio: ['ignore', 'pipe', 2, 'ipc'] })
  }
  const linesOf = (running: ReturnType<typeof start>) =>
    createInterface({ input: running.stdout ?? assert.fail('no output') })

  const killed = start()
  for await (const progress of linesOf(killed)) {
    if (Number.parseInt(progress, 10) >= 0.4 * ROWS) killed.kill('SIGKILL')
  }
  if (killed.signalCode === null) await once(killed, 'close')
  assert.equal(killed.signalCode, 'SIGKILL')

  const resumed = start()
  let last = ''
  for await (const printed of linesOf(resumed)) last = printed
  const end = /^50000 rows are stored, (\d+) of them by an earlier run; 0 failed$/.exec(last)
  // Only what was in flight is sent again.
  assert.ok(Number(end?.[1]) > 0.3 * ROWS, last)

  await using account = connect(service.connectionString)
  const readings = account.table(Reading)
  assert.equal(await readings.query().allowTableScan().count(), ROWS)
  assert.equal((await readings.get({ sensor: 'sensor-19', second: 2_499 })).celsius, 25.5)
  await service.close()
})

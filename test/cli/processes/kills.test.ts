import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localTableService } from '@rowkey/local'
import { connect, DynamicEntity, EntityProperty } from 'rowkey'
import { expect, it, onTestFinished } from 'vitest'
import { runProcess, startCommand } from './built-command.ts'

const ROWS = 2_000
const KILLS = 2

/** Runs a command that is killed twice, after so many requests, and then runs to its end. */
async function runKilled(
  args: readonly string[],
  onRequests: (call: () => void) => void,
  requests: number,
  { target, folder }: { readonly target: string; readonly folder: string },
): Promise<void> {
  for (let run = 0; run <= KILLS; run++) {
    const child = startCommand(args, { ROWKEY_TARGET: target }, folder)
    let left = run < KILLS ? requests : Number.POSITIVE_INFINITY
    onRequests(() => {
      left--
      if (left === 0) child.kill('SIGKILL')
    })
    child.stdout.resume()
    child.stderr.resume()
    const [code, signal] = await once(child, 'close')
    expect([code, signal]).toEqual(run < KILLS ? [null, 'SIGKILL'] : [0, null])
  }
}

it('export, import and copy go on where they were killed, and lose and double nothing', async () => {
  let onRequest = () => {}
  const service = localTableService({ onRequest: () => onRequest() })
  const { connectionString: target } = await service.listen({ port: 0 })
  const account = connect(target)
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-kills-'))
  onTestFinished(async () => {
    await account.close()
    await service.close()
    await rm(folder, { recursive: true })
  })
  const people = account.table('people')
  await people.create()
  const rows = Array.from(
    { length: ROWS },
    (_, n) =>
      new DynamicEntity(`city-${n % 40}`, `person-${n}`, { n, whole: EntityProperty.double(n) }),
  )
  await people.bulk().insert(rows)

  const killed = (line: string, requests: number) => {
    const onRequests = (call: () => void) => {
      onRequest = call
    }
    return runKilled(line.split(' '), onRequests, requests, { target, folder })
  }
  await killed('export people people.ndjson', 6)
  await killed('import imported people.ndjson --create', 8)
  await killed('copy people --to-table copied --create', 12)
  expect(await readdir(folder)).toEqual(['people.ndjson'])
  onRequest = () => {}
  for (const name of ['imported', 'copied']) {
    const diff = await runProcess(['diff', 'people', '--to-table', name], {
      ROWKEY_TARGET: target,
    })
    expect([diff.code, diff.warned]).toEqual([0, 'The tables are equal.\n'])
    const count = await runProcess(['count', name, '--scan', '--json'], { ROWKEY_TARGET: target })
    expect(JSON.parse(count.printed)).toEqual({ table: name, count: ROWS })
  }
})

it('set, delete and clear go on where they were killed, and change exactly the rows that match', async () => {
  let onRequest = () => {}
  const service = localTableService({ onRequest: () => onRequest() })
  const { connectionString: target } = await service.listen({ port: 0 })
  const account = connect(target)
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-kills-'))
  onTestFinished(async () => {
    await account.close()
    await service.close()
    await rm(folder, { recursive: true })
  })
  const people = account.table('people')
  await people.create()
  const rows = Array.from(
    { length: ROWS },
    (_, n) => new DynamicEntity(`city-${n % 40}`, `person-${n}`, { n, state: 'new' }),
  )
  await people.bulk().insert(rows)
  const killed = (args: readonly string[], requests: number) => {
    const onRequests = (call: () => void) => {
      onRequest = call
    }
    return runKilled([...args, '--write'], onRequests, requests, { target, folder })
  }
  const left = async (filter: string) => {
    onRequest = () => {}
    const args = ['count', 'people', '--filter', filter, '--scan']
    return (await runProcess(args, { ROWKEY_TARGET: target })).printed
  }
  await killed(['set', 'people', 'state=old', '--filter', 'n ge 500'], 12)
  expect([await left("state eq 'old'"), await left("state eq 'new'")]).toEqual(['1500\n', '500\n'])
  await killed(['delete', 'people', '--filter', "state eq 'old' and n lt 1500"], 12)
  expect([await left('n ge 1500'), await left('n lt 1500')]).toEqual(['500\n', '500\n'])
  await killed(['clear', 'people'], 6)
  expect(await left('n ge 0')).toBe('0\n')
  expect(await readdir(folder)).toEqual([])
})

it('an import goes on with the second key of its account, when the first was renewed', async () => {
  let left = 35
  const service = localTableService({
    accounts: ['Zmlyc3Q=', 'c2Vjb25k'].map((key) => ({ name: 'contoso', key })),
    onRequest() {
      left--
      if (left === 0) killed.kill('SIGKILL')
    },
  })
  const { connectionString } = await service.listen({ port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-kills-'))
  onTestFinished(async () => {
    await service.close()
    await rm(folder, { recursive: true })
  })
  const lines = Array.from(
    { length: ROWS },
    (_, n) => `{"PartitionKey":"${n % 40}","RowKey":"${n}"}\n`,
  )
  await writeFile(join(folder, 'people.ndjson'), lines.join(''))
  const args = ['import', 'people', 'people.ndjson', '--create', '--json']
  const killed = startCommand(args, { ROWKEY_TARGET: connectionString }, folder)
  expect(await once(killed, 'close')).toEqual([null, 'SIGKILL'])
  const target = connectionString.replace('Zmlyc3Q=', 'c2Vjb25k')
  const { printed } = await runProcess(args, { ROWKEY_TARGET: target }, '', folder)
  const result = JSON.parse(printed)
  expect(result).toMatchObject({ written: ROWS, failed: 0 })
  expect(result.resumed).toBeGreaterThan(0)
  expect(await readdir(folder)).toEqual(['people.ndjson'])
})

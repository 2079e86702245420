import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { sasFindings } from '../../../packages/cli/src/doctor/sas-findings.ts'
import { runCli } from '../run-cli.ts'
import { openTables } from '../with-tables.ts'

it('finds nothing wrong with a service that runs', async () => {
  await using tables = await openTables()
  const { code, printed } = await runCli('doctor --json', { target: tables.target })
  expect(code).toBe(0)
  const { checks } = JSON.parse(printed)
  expect(
    checks.map(({ check, status }: { check: string; status: string }) => `${check} ${status}`),
  ).toEqual([
    'proxy ok',
    'name ok',
    'connection ok',
    'tls warning',
    'service ok',
    'clock ok',
    'list tables ok',
    'cors ok',
  ])
  expect(printed).not.toContain('AccountKey')
})

it('takes a signature apart, and never shows it', async () => {
  await using tables = await openTables()
  const people = tables.account.table('people')
  await people.create()
  const sas = people.sas({ permissions: 'r', expiry: new Date(Date.now() + 600_000) })
  const target = sas.urlAt(tables.account.service.endpoint)
  const { printed } = await runCli(['doctor', '--target', target, '--json'])
  const { checks } = JSON.parse(printed)
  expect(checks).toContainEqual(
    expect.objectContaining({
      check: 'signature',
      detail: expect.stringMatching(/table people.*It may read\./),
    }),
  )
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'signature time', status: 'warning' }),
  )
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'list tables', status: 'warning' }),
  )
  const signature = new URL(target).searchParams.get('sig') ?? 'none'
  expect(printed).not.toContain(signature)
  expect(printed).not.toContain(encodeURIComponent(signature))
})

it.each([
  ['se=2026-01-01T00:00:00Z', 'failed', 'expired'],
  ['st=2027-01-01T00:00:00Z', 'failed', 'begins'],
  ['se=2026-12-01T00:00:00Z', 'ok', 'expires'],
])('judges the times of a signature: %s', (text, status, word) => {
  const findings = [
    ...sasFindings(
      new URLSearchParams(`${text}&sp=raud&spk=a&epk=b&sip=1.2.3.4`),
      Date.UTC(2026, 10, 22),
    ),
  ]
  expect(findings[0]?.detail).toContain(
    'It may read, add, update, delete. Only keys from a to b. Only from 1.2.3.4.',
  )
  expect(findings[1]).toMatchObject({ status, detail: expect.stringContaining(word) })
})

it('stops at a port where no table service responds', async () => {
  const server = createServer((socket) => socket.destroy())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const target = `AccountName=contoso;AccountKey=c2VjcmV0;TableEndpoint=http://127.0.0.1:${port}/contoso`
  const { code, printed } = await runCli(['doctor', '--target', target])
  server.close()
  expect([code, printed]).toEqual([
    1,
    expect.stringMatching(/failed {4}service: http:.*\/contoso does not respond: \w+\.\n.*\n$/),
  ])
})

it('stops at a name or a port that does not respond, with a remedy', async () => {
  const key = 'AccountName=contoso;AccountKey=c2VjcmV0'
  const nowhere = await runCli([
    'doctor',
    '--target',
    `DefaultEndpointsProtocol=https;${key};TableEndpoint=https://contoso.invalid`,
  ])
  expect(nowhere.code).toBe(1)
  expect(nowhere.printed).toMatch(
    /failed {4}name: contoso\.invalid has no address: \w+\.\n +Check the name/,
  )
  const closed = await runCli([
    'doctor',
    '--target',
    `${key};TableEndpoint=http://127.0.0.1:9/contoso`,
  ])
  expect([closed.code, closed.printed]).toEqual([
    1,
    expect.stringContaining('accepts no connection on port 9: ECONNREFUSED'),
  ])
  expect(closed.printed).not.toContain('c2VjcmV0')
})

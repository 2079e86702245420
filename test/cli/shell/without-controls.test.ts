import { expect, it } from 'vitest'
import { fakeProcess } from './fake-process.ts'

it('shows no control characters of warnings, and none of rows on a terminal', async () => {
  const { process, shell } = fakeProcess()
  shell.warn('a\u001b]0;x\u0007\u009b2J\u202eb\rc\n')
  expect(String(process.stderr.read())).toBe('a\\u001b]0;x\\u0007\\u009b2J\\u202eb\\rc\n')
  shell.showProgress('\u001b[2Jx')
  expect(String(process.stderr.read())).toBe('\r\\u001b[2Jx\u001b[K')

  process.stdout.on('data', () => {})
  const printed: string[] = []
  process.stdout.write = ((text: string | Uint8Array) => {
    printed.push(String(text))
    return true
  }) as never
  await shell.print('a,\u001b[31m\r\nb\n')
  Object.assign(process.stdout, { isTTY: true })
  await shell.print('a,\u001b[31m\r\nb\n')
  const bytes = Buffer.from('é\u009b\n')
  for (const byte of bytes) await shell.print(Uint8Array.of(byte))
  expect(printed.slice(0, 2)).toEqual(['a,\u001b[31m\r\nb\n', 'a,\\u001b[31m\r\nb\n'])
  expect(printed.slice(2).join('')).toBe('é\\u009b\n')
})

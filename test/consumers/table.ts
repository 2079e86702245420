import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Result } from './consumer.ts'

const page = fileURLToPath(new URL('../../docs/project/compatibility.md', import.meta.url))
const BEGIN = '<!-- consumers: begin -->'
const END = '<!-- consumers: end -->'
const HEAD = ['| tool | version | what ran | result |', '|---|---|---|---|']

/**
 * Writes the results into the table of docs/project/compatibility.md. Rows of consumers that were not asked for
 * stay as they are.
 *
 * @param results - of this run
 * @param order - the first cells of all consumers, in the order of the table
 */
export async function writeTable(
  results: readonly Result[],
  order: readonly string[],
): Promise<void> {
  const text = await readFile(page, 'utf8')
  const [before, rest = ''] = text.split(BEGIN)
  const [table = '', after] = rest.split(END)
  const rows = new Map(
    table
      .split('\n')
      .filter((line) => line.startsWith('| ') && !HEAD.includes(line))
      .map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line]),
  )
  for (const result of results) rows.set(result.consumer.tool, rowOf(result))
  const lines = order.flatMap((tool) => rows.get(tool) ?? [])
  await writeFile(
    page,
    [before, BEGIN, '\n', [...HEAD, ...lines].join('\n'), '\n', END, after].join(''),
  )
}

function rowOf({ consumer, version, outcome, output }: Result): string {
  const result = outcome === 'skipped' ? `did not run: ${output}` : outcome
  return `| ${consumer.tool} | ${version || '–'} | ${consumer.what} | ${result} |`
}

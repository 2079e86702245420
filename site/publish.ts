/** Puts a built site beside its other versions: `tsx site/publish.ts <folder of all versions> <version>`. */
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/**
 * Copies a built site into the folder of a host, lists the versions for the menu, and makes the root lead to the newest one.
 *
 * @param dist - the built site
 * @param folder - what the host shows
 * @param version - such as `0.1`
 */
export function publish(dist: string, folder: string, version: string): void {
  if (!/^\d+\.\d+$/.test(version))
    throw new Error(`"${version}" must be like 0.1: one site for each minor version`)
  const target = join(folder, version)
  rmSync(target, { recursive: true, force: true })
  cpSync(dist, target, { recursive: true })
  const versions = readdirSync(folder)
    .filter((name) => /^\d+\.\d+$/.test(name) && existsSync(join(folder, name, 'index.html')))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  writeFileSync(join(folder, 'versions.json'), JSON.stringify(versions))
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Rowkey</title><meta http-equiv="refresh" content="0; url=${versions[0]}/"><a href="${versions[0]}/">Rowkey ${versions[0]}</a>\n`,
  )
  // Without this file, GitHub Pages leaves out names that begin with "_".
  writeFileSync(join(folder, '.nojekyll'), '')
}

if (process.argv[1] === import.meta.filename) {
  const [, , folder = 'pages', version = ''] = process.argv
  publish(join(import.meta.dirname, 'dist'), folder, version)
}

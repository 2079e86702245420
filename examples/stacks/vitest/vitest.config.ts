import { rowkey } from 'rowkey/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [rowkey()], test: { setupFiles: ['./tables.ts'] } })

import { rowkey } from 'rowkey/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [rowkey()],
  build: {
    outDir: 'out',
    lib: { entry: 'main.ts', formats: ['es'], fileName: 'main' },
  },
})

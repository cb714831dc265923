// Names instead of hashes of absolute paths: the bundle is the same wherever it is built.
module.exports = { optimization: { moduleIds: 'named', chunkIds: 'named' } };

;; Decode the rows of a GGUF file, and multiply them with the rows of x, four numbers at a time: what gguf.js and
;; products.js do in JavaScript. Addresses and sizes are in bytes. The memory begins with the value of each half-precision
;; number, by its bits, 4 bytes each. No function calls another, because not every browser inlines calls.
(module
  (memory (export "memory") 5)

  ;; Decode blocks of 34 bytes: a scale, and 32 numbers of 8 bits.
  (func (export "Q8_0") (param $at i32) (param $n_blocks i32) (param $to i32)
    (local $scale v128) (local $end i32) (local $eight v128)
    (loop $blocks
      (local.set $scale (v128.load32_splat (i32.shl (i32.load16_u (local.get $at)) (i32.const 2))))
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (local.set $end (i32.add (local.get $at) (i32.const 32)))
      (loop $bytes
        (local.set $eight (v128.load8x8_s (local.get $at)))
        (v128.store (local.get $to)
          (f32x4.mul (local.get $scale) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $eight)))))
        (v128.store offset=16 (local.get $to)
          (f32x4.mul (local.get $scale) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $eight)))))
        (local.set $to (i32.add (local.get $to) (i32.const 32)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $bytes (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $n_blocks (i32.sub (local.get $n_blocks) (i32.const 1)))
      (br_if $blocks (local.get $n_blocks))))

  ;; Decode blocks of 20 bytes: a scale, the least number, and 32 numbers of 4 bits, of which the low halves of the
  ;; bytes are the first 16.
  (func (export "Q4_1") (param $at i32) (param $n_blocks i32) (param $to i32)
    (local $scale v128) (local $least v128) (local $end i32) (local $low v128) (local $high v128)
    (loop $blocks
      (local.set $scale (v128.load32_splat (i32.shl (i32.load16_u (local.get $at)) (i32.const 2))))
      (local.set $least (v128.load32_splat (i32.shl (i32.load16_u offset=2 (local.get $at)) (i32.const 2))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (local.set $end (i32.add (local.get $at) (i32.const 16)))
      (loop $bytes
        (local.set $high (v128.load8x8_u (local.get $at)))
        (local.set $low (v128.and (local.get $high) (i16x8.splat (i32.const 15))))
        (local.set $high (i16x8.shr_u (local.get $high) (i32.const 4)))
        (v128.store (local.get $to) (f32x4.add (local.get $least)
          (f32x4.mul (local.get $scale) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $low))))))
        (v128.store offset=16 (local.get $to) (f32x4.add (local.get $least)
          (f32x4.mul (local.get $scale) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $low))))))
        (v128.store offset=64 (local.get $to) (f32x4.add (local.get $least)
          (f32x4.mul (local.get $scale) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $high))))))
        (v128.store offset=80 (local.get $to) (f32x4.add (local.get $least)
          (f32x4.mul (local.get $scale) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $high))))))
        (local.set $to (i32.add (local.get $to) (i32.const 32)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $bytes (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $to (i32.add (local.get $to) (i32.const 64)))
      (local.set $n_blocks (i32.sub (local.get $n_blocks) (i32.const 1)))
      (br_if $blocks (local.get $n_blocks))))

  ;; Write the inner products of a decoded row with n rows at x. The size of a row is a multiple of 64 bytes.
  (func (export "multiply") (param $row i32) (param $size i32) (param $x i32) (param $n i32) (param $to i32)
    (local $at i32) (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $row) (local.get $size)))
    (loop $rows
      (local.set $at (local.get $row))
      (local.set $a (local.tee $b (local.tee $c (local.tee $d (v128.const i32x4 0 0 0 0)))))
      (loop $numbers ;; sixteen independent sums
        (local.set $a (f32x4.add (local.get $a)
          (f32x4.mul (v128.load (local.get $x)) (v128.load (local.get $at)))))
        (local.set $b (f32x4.add (local.get $b)
          (f32x4.mul (v128.load offset=16 (local.get $x)) (v128.load offset=16 (local.get $at)))))
        (local.set $c (f32x4.add (local.get $c)
          (f32x4.mul (v128.load offset=32 (local.get $x)) (v128.load offset=32 (local.get $at)))))
        (local.set $d (f32x4.add (local.get $d)
          (f32x4.mul (v128.load offset=48 (local.get $x)) (v128.load offset=48 (local.get $at)))))
        (local.set $x (i32.add (local.get $x) (i32.const 64)))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br_if $numbers (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
      (f32.store (local.get $to) (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
        (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $rows (local.get $n)))))

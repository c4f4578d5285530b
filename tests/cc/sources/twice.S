#define NAME twice
	.text
	.globl	NAME
	.type	NAME, @function
NAME:
	leal	(%rdi,%rdi), %eax
	ret
	.size	NAME, .-NAME
	.section	.note.GNU-stack,"",@progbits

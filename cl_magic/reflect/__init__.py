"""What a device's compiler made of a program, as text: IR, machine code, PTX, with source lines and resources."""
